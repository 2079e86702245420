import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseTokenPart, printTokenPart } from '../../../packages/local/src/query/query-options.ts'

describe('a part of a continuation token', () => {
  it('R-32: has the recorded form of the service', () => {
    expect(printTokenPart('pk801016e8')).toBe('1!16!cGs4MDEwMTZlOA--')
    expect(printTokenPart('partition1-ô- -\'-"-%20-%27-pk')).toBe(
      '1!40!cGFydGl0aW9uMS3DtC0gLSctIi0lMjAtJTI3LXBr',
    )
    expect(printTokenPart('')).toBe('1!0!')
  })

  it('R-32: preserves the text, and fits into a header', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const part = printTokenPart(text)
        expect(part).toMatch(/^[!-~]+$/)
        expect(parseTokenPart(part)).toBe(text)
      }),
    )
  })

  it.each([
    '',
    'x',
    '1!',
    '1!4!',
    '1!3!Yg--',
    '2!4!Yg--',
    '1!4!Yg==',
    '1!4!!!!!',
    '1!4!/w--',
    '1!4!Yh--',
  ])('rejects %j', (part) => {
    expect(() => parseTokenPart(part)).toThrow(
      expect.objectContaining({ status: 400, code: 'InvalidInput' }),
    )
  })
})
