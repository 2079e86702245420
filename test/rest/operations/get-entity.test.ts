import { getEntity } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { contoso, etag, jeff } from '../people.ts'

const { table, key } = jeff

describe('getEntity', () => {
  it('R-17, R-43: reads one entity by its keys', () => {
    expect(getEntity.toRequest({ table, key }, contoso)).toMatchObject({
      method: 'GET',
      path: "/people(PartitionKey='Smith',RowKey='Jeff')",
      query: '',
      body: undefined,
    })
  })

  it('R-22: projects by stored names', () => {
    const select = ['PartitionKey', 'größe']
    expect(getEntity.toRequest({ table, key, select }, contoso).query).toBe(
      '$select=PartitionKey%2Cgr%C3%B6%C3%9Fe',
    )
  })

  it('gives the members as they came, and the ETag', () => {
    const members = '"age@odata.type":"Edm.Int64","age":"39","xyz":null'
    const body = `{"PartitionKey":"Smith","RowKey":"Jeff",${members}}`
    const response = { status: 200, headers: { etag }, body }
    expect(getEntity.fromResponse(response, { table, key })).toEqual({
      raw: {
        PartitionKey: 'Smith',
        RowKey: 'Jeff',
        'age@odata.type': 'Edm.Int64',
        age: '39',
        xyz: null,
      },
      etag,
    })
  })

  it.each(['', '[]', 'null', '7', '"x"', '{', '<html>'])('takes %j for no entity', (body) => {
    const response = { status: 200, headers: {}, body }
    expect(() => getEntity.fromResponse(response, { table, key })).toThrow(
      expect.objectContaining({ code: 'UnexpectedAnswer', mayHaveApplied: false }),
    )
  })
})
