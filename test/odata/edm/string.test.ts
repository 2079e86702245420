import { edmCodecs } from '@rowkey/odata'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isWellFormed, writeJsonText } from '../../../packages/odata/src/edm/string.ts'

const { String: codec } = edmCodecs

describe('String', () => {
  it('accepts text of any length; the request checks the limit', () => {
    expect(codec.accept('x'.repeat(32_769), 'p')).toHaveLength(32_769)
    expect(codec.accept('', 'p')).toBe('')
  })

  it('accepts a whole surrogate pair', () => {
    expect(codec.accept('😀', 'p')).toBe('😀')
  })

  it('does not show the text in a message', () => {
    const secret = 'hunter2\ud800'
    expect(() => codec.accept(secret, 'p')).toThrow(
      /^Property "p": a string of 8 UTF-16 units ((?!hunter2).)*$/,
    )
  })

  it('sorts by UTF-16 units, so that U+1F600 stands before U+FF5E', () => {
    expect(codec.compare('😀', '～')).toBe(-1)
    expect(codec.compare('B', 'a')).toBe(-1)
    expect(codec.compare('b', 'a')).toBe(1)
    expect(codec.compare('a', 'a')).toBe(0)
  })

  it('reads half of a surrogate pair, which it would not send', () => {
    expect(codec.readJson('\ud800', 'p')).toBe('\ud800')
  })
})

const anyUnits = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0xd7f0, max: 0xe00f })))
  .map((units) => String.fromCharCode(...units))

describe('writeJsonText', () => {
  it('writes what JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.oneof(anyUnits, fc.string()), (text) => {
        expect(JSON.parse(writeJsonText(text))).toBe(text)
        expect(writeJsonText(text)).toBe(JSON.stringify(text))
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('isWellFormed', () => {
  it('is false when half of a surrogate pair stands alone', () => {
    fc.assert(
      fc.property(anyUnits, (text) => {
        expect(isWellFormed(text)).toBe(Buffer.from(text).toString() === text)
      }),
      { numRuns: 2_000 },
    )
  })
})
