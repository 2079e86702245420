import { updateEntity } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { contoso, etag, jeff } from '../people.ts'

describe('updateEntity', () => {
  it('R-43, R-44, R-45: puts the whole entity, with the ETag as a condition', () => {
    expect(updateEntity.toRequest({ ...jeff, etag }, contoso)).toMatchObject({
      method: 'PUT',
      path: "/people(PartitionKey='Smith',RowKey='Jeff')",
      headers: { 'if-match': etag, 'content-type': 'application/json' },
      body: jeff.body,
    })
  })

  it('R-46: rejects a missing ETag, and names both ways out', () => {
    expect(() => updateEntity.toRequest(jeff, contoso)).toThrow(
      expect.objectContaining({
        code: 'MissingETag',
        message: expect.stringMatching(/ETag.*'\*'/),
      }),
    )
  })

  it("R-46: is unconditional with '*'", () => {
    const { headers } = updateEntity.toRequest({ ...jeff, etag: '*' }, contoso)
    expect(headers['if-match']).toBe('*')
  })

  it('R-47: returns the new ETag', () => {
    const response = { status: 204, headers: { etag }, body: '' }
    expect(updateEntity.fromResponse(response, jeff)).toEqual({ etag, status: 204 })
  })

  it('R-03: rejects an entity with too many properties', () => {
    const properties = Array.from({ length: 253 }, (_, i) => [`p${i}`, 1])
    const body = JSON.stringify(Object.fromEntries(properties))
    expect(() => updateEntity.toRequest({ ...jeff, body, etag: '*' }, contoso)).toThrow(
      expect.objectContaining({ code: 'TooManyProperties' }),
    )
  })
})
