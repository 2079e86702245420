import { mergeEntity } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { contoso, cosmos, etag, jeff } from '../people.ts'

describe('mergeEntity', () => {
  it('R-18, R-43, R-44: sends the ETag as a condition', () => {
    expect(mergeEntity.toRequest({ ...jeff, etag }, contoso)).toMatchObject({
      method: 'PATCH',
      path: "/people(PartitionKey='Smith',RowKey='Jeff')",
      headers: { 'if-match': etag, 'content-type': 'application/json' },
      body: jeff.body,
    })
  })

  it('sends a POST on Cosmos DB', () => {
    expect(mergeEntity.toRequest({ ...jeff, etag }, cosmos)).toMatchObject({
      method: 'POST',
      path: "/people(PartitionKey='Smith',RowKey='Jeff')",
      headers: { 'if-match': etag, 'x-http-method': 'MERGE' },
    })
  })

  it('R-46: rejects a missing ETag, and names both ways out', () => {
    expect(() => mergeEntity.toRequest(jeff, contoso)).toThrow(
      expect.objectContaining({
        code: 'MissingETag',
        message: expect.stringMatching(/ETag.*'\*'/),
      }),
    )
  })

  it("R-46: is unconditional with '*'", () => {
    const { headers } = mergeEntity.toRequest({ ...jeff, etag: '*' }, contoso)
    expect(headers['if-match']).toBe('*')
  })

  it('R-47: returns the new ETag', () => {
    const response = { status: 204, headers: { etag }, body: '' }
    expect(mergeEntity.fromResponse(response, jeff)).toEqual({ etag, status: 204 })
  })

  it('R-03: rejects an entity with too many properties', () => {
    const properties = Array.from({ length: 253 }, (_, i) => [`p${i}`, 1])
    const body = JSON.stringify(Object.fromEntries(properties))
    expect(() => mergeEntity.toRequest({ ...jeff, body, etag: '*' }, contoso)).toThrow(
      expect.objectContaining({ code: 'TooManyProperties' }),
    )
  })
})
