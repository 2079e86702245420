import { createTable } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { contoso, emulator } from '../people.ts'

describe('createTable', () => {
  it('R-17, R-18: posts the name to /Tables', () => {
    expect(createTable.toRequest({ table: 'people' }, contoso)).toMatchObject({
      method: 'POST',
      origin: 'https://contoso.table.core.windows.net',
      path: '/Tables',
      query: '',
      body: '{"TableName":"people"}',
    })
  })

  it('R-17: has the account in the path, in path style', () => {
    expect(createTable.toRequest({ table: 'people' }, emulator).path).toBe(
      '/devstoreaccount1/Tables',
    )
  })

  it('asks for no content', () => {
    const { headers } = createTable.toRequest({ table: 'people' }, contoso)
    expect(headers.prefer).toBe('return-no-content')
  })

  it('R-01: rejects an invalid name', () => {
    expect(() => createTable.toRequest({ table: '../evil' }, contoso)).toThrow(
      expect.objectContaining({ code: 'InvalidTableName' }),
    )
  })

  it('ignores the body of the response', () => {
    const response = { status: 204, headers: {}, body: '' }
    expect(createTable.fromResponse(response, { table: 'people' })).toBeUndefined()
  })
})
