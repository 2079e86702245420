import { deleteEntity } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { contoso, etag, jeff } from '../people.ts'

describe('deleteEntity', () => {
  it('R-43: sends the ETag as a condition, and no body', () => {
    const request = deleteEntity.toRequest({ ...jeff, body: '', etag }, contoso)
    expect(request).toMatchObject({
      method: 'DELETE',
      path: "/people(PartitionKey='Smith',RowKey='Jeff')",
      headers: { 'if-match': etag },
      body: undefined,
    })
    expect(request.headers).not.toHaveProperty('content-type')
  })

  it('R-46: rejects a missing ETag, and names both ways out', () => {
    expect(() => deleteEntity.toRequest(jeff, contoso)).toThrow(
      expect.objectContaining({
        code: 'MissingETag',
        message: expect.stringMatching(/ETag.*'\*'/),
      }),
    )
  })

  it("R-46: is unconditional with '*'", () => {
    const { headers } = deleteEntity.toRequest({ ...jeff, etag: '*' }, contoso)
    expect(headers['if-match']).toBe('*')
  })

  it('returns no ETag', () => {
    expect(deleteEntity.fromResponse({ status: 204, headers: {}, body: '' }, jeff)).toEqual({
      status: 204,
    })
  })
})
