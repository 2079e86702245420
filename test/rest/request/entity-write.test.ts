import { describe, expect, it } from 'vitest'
import { ifMatch, mergeRequest } from '../../../packages/rest/src/request/entity-write.ts'
import { contoso, cosmos, etag, jeff } from '../people.ts'

describe('ifMatch', () => {
  it.each(['*', etag, '"0x8D"'])('R-46: returns the ETag %s unchanged', (given) => {
    expect(ifMatch('mergeEntity', { ...jeff, etag: given })).toBe(given)
  })

  it.each([undefined, ''])('R-46: rejects %j, and names both ways out', (given) => {
    expect(() => ifMatch('mergeEntity', { ...jeff, etag: given })).toThrow(
      expect.objectContaining({
        code: 'MissingETag',
        message:
          "mergeEntity in table people needs an ETag. Pass the ETag that the entity was read with, or '*' to write whatever is stored.",
      }),
    )
  })

  it.each(['*\r\nX-Evil: 1', 'a\0b', 'ä', 7, {}, null])(
    'rejects %j, which no header can contain',
    (given) => {
      expect(() => ifMatch('mergeEntity', { ...jeff, etag: given as string })).toThrow(
        expect.objectContaining({ code: 'InvalidETag' }),
      )
    },
  )
})

describe('mergeRequest', () => {
  it('R-18: sends PATCH, and a POST with MERGE in a header on Cosmos DB', () => {
    const verbOf = (endpoint: typeof contoso) => {
      const { method, headers } = mergeRequest(jeff, endpoint)
      return [method, headers['x-http-method']]
    }
    expect(verbOf(contoso)).toEqual(['PATCH', undefined])
    expect(verbOf(cosmos)).toEqual(['POST', 'MERGE'])
  })

  it('sends the given condition', () => {
    expect(mergeRequest(jeff, contoso, '*').headers['if-match']).toBe('*')
    expect(mergeRequest(jeff, contoso).headers).not.toHaveProperty('if-match')
  })
})
