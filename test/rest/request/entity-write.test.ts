import { describe, expect, it } from 'vitest'
import { ifMatch } from '../../../packages/rest/src/request/entity-write.ts'
import { etag, jeff } from '../people.ts'

describe('ifMatch', () => {
  it.each(['*', etag, '"0x8D"', 'W/""', '"a b"'])(
    'R-46: returns the ETag %s unchanged',
    (given) => {
      expect(ifMatch('mergeEntity', { ...jeff, etag: given })).toBe(given)
    },
  )

  it.each([undefined, ''])('R-46: rejects %j, and names both ways out', (given) => {
    expect(() => ifMatch('mergeEntity', { ...jeff, etag: given })).toThrow(
      expect.objectContaining({
        code: 'MissingETag',
        message:
          "mergeEntity in table people needs an ETag. Pass the ETag that the entity was read with, or '*' to write whatever is stored.",
      }),
    )
  })

  it.each([' *', '* ', '*, "a"', '"a", *', '"a", "b"', 'abc', '"', 'W/*', '"a"*'])(
    'rejects %j, which is not one ETag',
    (given) => {
      expect(() => ifMatch('mergeEntity', { ...jeff, etag: given })).toThrow(
        expect.objectContaining({ code: 'InvalidETag' }),
      )
    },
  )

  it.each(['*\r\nX-Evil: 1', 'a\0b', 'ä', 7, {}, null, ['*']])(
    'rejects %j, which no header can contain',
    (given) => {
      expect(() => ifMatch('mergeEntity', { ...jeff, etag: given as string })).toThrow(
        expect.objectContaining({ code: 'InvalidETag' }),
      )
    },
  )
})
