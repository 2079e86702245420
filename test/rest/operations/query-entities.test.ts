import { queryEntities } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { contoso } from '../people.ts'

describe('queryEntities', () => {
  it('R-17: reads /people()', () => {
    expect(queryEntities.toRequest({ table: 'people' }, contoso)).toMatchObject({
      method: 'GET',
      path: '/people()',
      query: '',
    })
  })

  it('R-33: repeats $filter, $select and $top with the continuation', () => {
    const query = {
      table: 'people',
      filter: "PartitionKey eq 'Smith'",
      select: ['RowKey', 'age'],
      top: 2,
      continuation: { nextPartitionKey: '1!16!cGs-', nextRowKey: '1!20!cms-' },
    }
    expect(queryEntities.toRequest(query, contoso).query).toBe(
      '$filter=PartitionKey%20eq%20%27Smith%27&$select=RowKey%2Cage&$top=2&NextPartitionKey=1!16!cGs-&NextRowKey=1!20!cms-',
    )
  })

  it('R-32: omits NextRowKey when the service sent none', () => {
    const continuation = { nextPartitionKey: '1!16!cGs-' }
    expect(queryEntities.toRequest({ table: 'people', continuation }, contoso).query).toBe(
      'NextPartitionKey=1!16!cGs-',
    )
  })

  it('R-32: reads an empty page that continues', () => {
    const response = {
      status: 200,
      headers: { 'x-ms-continuation-nextpartitionkey': '1!16!cGs-' },
      body: '{"value":[]}',
    }
    expect(queryEntities.fromResponse(response, { table: 'people' })).toEqual({
      entities: [],
      continuation: { nextPartitionKey: '1!16!cGs-', query: expect.any(String) },
    })
  })

  it('keeps the type of every value of a page', () => {
    const response = {
      status: 200,
      headers: {},
      body: '{"odata.metadata":"x","value":[{"rate":3.0,"age":3,"n@odata.type":"Edm.Int64","n":"5"}]}',
    }
    const query = { table: 'people', select: ['rate', 'age', 'n'] }
    expect(queryEntities.fromResponse(response, query).entities).toEqual([
      { 'rate@odata.type': 'Edm.Double', rate: 3, age: 3, 'n@odata.type': 'Edm.Int64', n: '5' },
    ])
  })

  it.each(['{}', '{"a":1}', '{"PartitionKey":"Smith"}', '{"PartitionKey":1,"RowKey":"Jeff"}'])(
    'rejects %s in a page',
    (row) => {
      const body = `{"value":[{"PartitionKey":"Smith","RowKey":"Jeff"},${row}]}`
      const response = { status: 200, headers: {}, body }
      expect(() => queryEntities.fromResponse(response, { table: 'people' })).toThrow(
        expect.objectContaining({ code: 'UnexpectedResponse' }),
      )
    },
  )

  it.each(['', '<html>', '{}', '[]', '{"value":null}', '{"value":[null]}', '{"value":["x"]}'])(
    'rejects %j instead of reading an empty page',
    (body) => {
      const response = { status: 200, headers: {}, body }
      expect(() => queryEntities.fromResponse(response, { table: 'people' })).toThrow(
        expect.objectContaining({ code: 'UnexpectedResponse' }),
      )
    },
  )
})
