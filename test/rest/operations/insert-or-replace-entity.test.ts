import { insertOrReplaceEntity } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { contoso, etag, jeff } from '../people.ts'

describe('insertOrReplaceEntity', () => {
  it('R-43, R-44: puts the whole entity, without a condition', () => {
    const request = insertOrReplaceEntity.toRequest({ ...jeff, etag }, contoso)
    expect(request).toMatchObject({
      method: 'PUT',
      path: "/people(PartitionKey='Smith',RowKey='Jeff')",
      body: jeff.body,
    })
    expect(request.headers).not.toHaveProperty('if-match')
  })

  it('R-47: returns the new ETag', () => {
    const response = { status: 204, headers: { etag }, body: '' }
    expect(insertOrReplaceEntity.fromResponse(response, jeff)).toEqual({ etag, status: 204 })
  })

  it('R-03: rejects an entity with too many properties', () => {
    const properties = Array.from({ length: 253 }, (_, i) => [`p${i}`, 1])
    const body = JSON.stringify(Object.fromEntries(properties))
    expect(() => insertOrReplaceEntity.toRequest({ ...jeff, body, etag: '*' }, contoso)).toThrow(
      expect.objectContaining({ code: 'TooManyProperties' }),
    )
  })
})
