import { insertEntity } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { contoso, emulator, etag, jeff } from '../people.ts'

describe('insertEntity', () => {
  it('R-17, R-43: posts the entity to its table', () => {
    expect(insertEntity.toRequest(jeff, emulator)).toMatchObject({
      method: 'POST',
      path: '/devstoreaccount1/people',
      query: '',
      body: jeff.body,
    })
  })

  it('R-48: asks for no content unless echo is set', () => {
    const preferOf = (echo?: boolean) =>
      insertEntity.toRequest({ ...jeff, echo }, contoso).headers.prefer
    expect([preferOf(), preferOf(false), preferOf(true)]).toEqual([
      'return-no-content',
      'return-no-content',
      'return-content',
    ])
  })

  it('R-47: returns the ETag of the stored entity', () => {
    const response = { status: 204, headers: { etag }, body: '' }
    expect(insertEntity.fromResponse(response, jeff)).toEqual({ etag, status: 204 })
  })

  it('R-48: returns the stored entity with echo', () => {
    const body = '{"odata.etag":"x","PartitionKey":"Smith","RowKey":"Jeff","rate":3.0}'
    const response = { status: 201, headers: { etag }, body }
    expect(insertEntity.fromResponse(response, { ...jeff, echo: true })).toEqual({
      etag,
      status: 201,
      raw: {
        'odata.etag': 'x',
        PartitionKey: 'Smith',
        RowKey: 'Jeff',
        'rate@odata.type': 'Edm.Double',
        rate: 3,
      },
    })
  })

  it('accepts a response without the echo', () => {
    const full = { status: 201, headers: { etag }, body: '{"PartitionKey":"Smith"}' }
    expect(insertEntity.fromResponse(full, jeff)).toEqual({ etag, status: 201 })
    const empty = { status: 204, headers: { etag }, body: '' }
    expect(insertEntity.fromResponse(empty, { ...jeff, echo: true })).toEqual({
      etag,
      status: 204,
    })
  })

  it('says that the insert may have been applied when the echo cannot be read', () => {
    const response = { status: 201, headers: { etag }, body: '<html>' }
    expect(() => insertEntity.fromResponse(response, { ...jeff, echo: true })).toThrow(
      expect.objectContaining({ code: 'UnexpectedResponse', mayHaveApplied: true }),
    )
  })

  it('says that the insert may have been applied when the echo is another entity', () => {
    const body = '{"PartitionKey":"Smith","RowKey":"Ann"}'
    const response = { status: 201, headers: { etag }, body }
    expect(() => insertEntity.fromResponse(response, { ...jeff, echo: true })).toThrow(
      expect.objectContaining({
        code: 'UnexpectedResponse',
        mayHaveApplied: true,
        message: expect.stringContaining('RowKey is "Ann" instead of "Jeff"'),
      }),
    )
  })

  it('rejects invalid keys', () => {
    const key = { partitionKey: 'a/b', rowKey: '' }
    expect(() => insertEntity.toRequest({ ...jeff, key }, contoso)).toThrow(
      expect.objectContaining({ code: 'InvalidEntityKey' }),
    )
  })

  it('R-03: rejects an entity with too many properties', () => {
    const properties = Array.from({ length: 253 }, (_, i) => [`p${i}`, 1])
    const body = JSON.stringify(Object.fromEntries(properties))
    expect(() => insertEntity.toRequest({ ...jeff, body, etag: '*' }, contoso)).toThrow(
      expect.objectContaining({ code: 'TooManyProperties' }),
    )
  })
})
