import { getTable, hasTable } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { contoso, emulator } from '../people.ts'

const responseOf = (body: object) => ({ status: 200, headers: {}, body: JSON.stringify(body) })

describe('getTable', () => {
  it('R-17: reads /Tables with the name', () => {
    expect(getTable.toRequest({ table: 'people' }, contoso)).toMatchObject({
      method: 'GET',
      path: "/Tables('people')",
      body: undefined,
    })
    const { path } = getTable.toRequest({ table: 'people' }, emulator)
    expect(path).toBe("/devstoreaccount1/Tables('people')")
  })

  it('R-01: rejects an invalid name', () => {
    expect(() => getTable.toRequest({ table: "x'" }, contoso)).toThrow(
      expect.objectContaining({ code: 'InvalidTableName' }),
    )
  })

  it('R-01: returns the name in the case of its creation', () => {
    const response = responseOf({ 'odata.metadata': 'm', TableName: 'People' })
    expect(getTable.fromResponse(response, { table: 'people' })).toEqual({ table: 'People' })
  })

  it('accepts the empty list of an emulator for an existing table', () => {
    expect(getTable.fromResponse(responseOf({ value: [] }), { table: 'people' })).toEqual({
      table: 'people',
    })
  })

  it('rejects anything else', () => {
    expect(() => getTable.fromResponse(responseOf({}), { table: 'people' })).toThrow(
      expect.objectContaining({ code: 'UnexpectedResponse', mayHaveApplied: false }),
    )
  })
})

describe('hasTable', () => {
  it('tells a missing table from one that exists, and rejects anything else', () => {
    const missing = JSON.stringify({ 'odata.error': { code: 'ResourceNotFound' } })
    const response = { status: 404, headers: {}, body: missing }
    expect(hasTable.fromResponse(response, { table: 'people' })).toBe(false)
    expect(hasTable.fromResponse(responseOf({ TableName: 'People' }), { table: 'people' })).toBe(
      true,
    )
    expect(() => hasTable.fromResponse(responseOf({}), { table: 'people' })).toThrow(
      expect.objectContaining({ code: 'UnexpectedResponse' }),
    )
  })
})
