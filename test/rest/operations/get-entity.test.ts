import { findEntity, getEntity, perform } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { contoso, etag, jeff } from '../people.ts'
import { scriptedTransport } from '../scripted-transport.ts'
import { serviceOver } from '../service-over.ts'

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

  it('returns the members unchanged, and the ETag', () => {
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
      status: 200,
    })
  })

  it.each(['', '[]', 'null', '7', '"x"', '{', '<html>'])('rejects %j', (body) => {
    const response = { status: 200, headers: {}, body }
    const unexpected = { code: 'UnexpectedResponse', mayHaveApplied: false }
    expect(() => getEntity.fromResponse(response, { table, key })).toThrow(
      expect.objectContaining(unexpected),
    )
  })

  it('rejects another entity, and only a projection leaves out the keys', () => {
    const other = { status: 200, headers: {}, body: '{"PartitionKey":"Smith","RowKey":"Ben"}' }
    expect(() => getEntity.fromResponse(other, { table, key })).toThrow(/another entity/)
    const keyless = { status: 200, headers: {}, body: '{"age":1}' }
    expect(() => getEntity.fromResponse(keyless, { table, key })).toThrow(/is missing/)
    const read = { table, key, select: ['age'] }
    expect(getEntity.fromResponse(keyless, read)).toMatchObject({ raw: { age: 1 } })
  })
})

const missing = (code: string) => ({
  status: 404,
  body: `{"odata.error":{"code":"${code}","message":{"lang":"en-US","value":"No."}}}`,
})

describe('findEntity', () => {
  it('sends the same request as getEntity', () => {
    const input = { table, key, select: ['a'] }
    expect(findEntity.toRequest(input, contoso)).toEqual(getEntity.toRequest(input, contoso))
  })

  it('returns the entity', async () => {
    const transport = scriptedTransport({ headers: { etag }, body: jeff.body })
    const found = await perform(serviceOver(transport), findEntity, { table, key })
    expect(found).toEqual({ raw: { PartitionKey: 'Smith', RowKey: 'Jeff' }, etag, status: 200 })
  })

  it.each(['ResourceNotFound', 'EntityNotFound'])('returns undefined on %s', async (code) => {
    const service = serviceOver(scriptedTransport(missing(code)))
    expect(await perform(service, findEntity, { table, key })).toBeUndefined()
  })

  it('rejects a missing table', async () => {
    const service = serviceOver(scriptedTransport(missing('TableNotFound')))
    await expect(perform(service, findEntity, { table, key })).rejects.toMatchObject({
      name: 'TableNotFoundError',
      code: 'TableNotFound',
    })
  })
})
