import { queryTables } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { contoso, emulator } from '../people.ts'

describe('queryTables', () => {
  it('R-17: reads /Tables', () => {
    expect(queryTables.toRequest({}, emulator)).toMatchObject({
      method: 'GET',
      path: '/devstoreaccount1/Tables',
      query: '',
    })
  })

  it('R-33: repeats the query with the continuation', () => {
    const continuation = { nextTableName: '1!40!dGFi' }
    const filter = "TableName ge 'a'"
    expect(queryTables.toRequest({ filter, top: 2, continuation }, contoso).query).toBe(
      '$filter=TableName%20ge%20%27a%27&$top=2&NextTableName=1!40!dGFi',
    )
  })

  it('R-32: reads names and continuation as Azure sends them', () => {
    const response = {
      status: 200,
      headers: {
        'x-ms-continuation-nexttablename': '1!40!dGFibGUzNTg2MTlkMgEwMWQzNTljZGFiMWI3OTg1',
      },
      body: '{"odata.metadata":"https://contoso.table.core.windows.net/$metadata#Tables","value":[{"TableName":"people"},{"TableName":"Orders"}]}',
    }
    expect(queryTables.fromResponse(response, {})).toEqual({
      tables: ['people', 'Orders'],
      continuation: {
        nextTableName: '1!40!dGFibGUzNTg2MTlkMgEwMWQzNTljZGFiMWI3OTg1',
        query: expect.any(String),
      },
    })
  })

  it.each(['', '{}', '{"value":{}}', '{"value":[1]}', '{"value":[{"TableName":7}]}', '<html>'])(
    'rejects %j',
    (body) => {
      expect(() => queryTables.fromResponse({ status: 200, headers: {}, body }, {})).toThrow(
        expect.objectContaining({ code: 'UnexpectedResponse', mayHaveApplied: false }),
      )
    },
  )
})
