import { describe, expect, it } from 'vitest'
import { ifMatch } from '../../../packages/rest/src/entity/if-match.ts'
import { etag, jeff } from '../people.ts'

describe('ifMatch', () => {
  it.each(['*', etag, '"0x8D"'])('R-46: is the ETag %s as it was given', (given) => {
    expect(ifMatch('mergeEntity', { ...jeff, etag: given })).toBe(given)
  })

  it.each([undefined, ''])('R-46: refuses %j, and says both ways out', (given) => {
    expect(() => ifMatch('mergeEntity', { ...jeff, etag: given })).toThrow(
      expect.objectContaining({
        code: 'MissingETag',
        message:
          "mergeEntity in table people needs an ETag. Pass the ETag the entity was read with, or '*' to write whatever is stored now.",
      }),
    )
  })

  it.each(['*\r\nX-Evil: 1', 'a\0b', 'ä', 7, {}, null])(
    'refuses %j, which no header holds',
    (given) => {
      expect(() => ifMatch('mergeEntity', { ...jeff, etag: given as string })).toThrow(
        expect.objectContaining({ code: 'InvalidETag' }),
      )
    },
  )
})
