import { getTable } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { contoso } from '../people.ts'

const answer = (body: object) => ({ status: 200, headers: {}, body: JSON.stringify(body) })

describe('getTable', () => {
  it('R-17: asks for /Tables with the name', () => {
    expect(getTable.toRequest({ table: 'people' }, contoso)).toMatchObject({
      method: 'GET',
      path: "/Tables('people')",
      body: undefined,
    })
  })

  it('R-01: gives the name in the case it was created with', () => {
    const response = answer({ 'odata.metadata': 'm', TableName: 'People' })
    expect(getTable.fromResponse(response, { table: 'people' })).toEqual({ table: 'People' })
  })

  it('takes the empty list that an emulator answers for a table that is there', () => {
    expect(getTable.fromResponse(answer({ value: [] }), { table: 'people' })).toEqual({
      table: 'people',
    })
  })

  it('takes nothing else for a table', () => {
    expect(() => getTable.fromResponse(answer({}), { table: 'people' })).toThrow(
      expect.objectContaining({ code: 'UnexpectedAnswer', mayHaveApplied: false }),
    )
  })
})
