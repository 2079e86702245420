import { insertOrMergeEntity } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { contoso, cosmos, etag, jeff } from '../people.ts'

describe('insertOrMergeEntity', () => {
  it('R-43, R-44: sends no condition', () => {
    const request = insertOrMergeEntity.toRequest({ ...jeff, etag }, contoso)
    expect(request).toMatchObject({
      method: 'PATCH',
      path: "/people(PartitionKey='Smith',RowKey='Jeff')",
      body: jeff.body,
    })
    expect(request.headers).not.toHaveProperty('if-match')
  })

  it('sends a POST on Cosmos DB', () => {
    const request = insertOrMergeEntity.toRequest(jeff, cosmos)
    expect(request).toMatchObject({ method: 'POST', headers: { 'x-http-method': 'MERGE' } })
    expect(request.headers).not.toHaveProperty('if-match')
  })

  it('R-47: returns the new ETag', () => {
    const response = { status: 204, headers: { etag }, body: '' }
    expect(insertOrMergeEntity.fromResponse(response, jeff)).toEqual({ etag, status: 204 })
  })

  it('R-03: rejects an entity with too many properties', () => {
    const properties = Array.from({ length: 253 }, (_, i) => [`p${i}`, 1])
    const body = JSON.stringify(Object.fromEntries(properties))
    expect(() => insertOrMergeEntity.toRequest({ ...jeff, body, etag: '*' }, contoso)).toThrow(
      expect.objectContaining({ code: 'TooManyProperties' }),
    )
  })
})
