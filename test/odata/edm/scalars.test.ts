import { edmCodecs } from '@rowkey/odata'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  isGuid,
  isInt32,
  isWellFormed,
  writeJsonText,
} from '../../../packages/odata/src/edm/edm-codecs.ts'
import { invalidValue } from '../../support/rejections.ts'

const { Boolean: codec, Double, Guid, Int32, Int64 } = edmCodecs

describe('Boolean', () => {
  it('sorts false before true', () => {
    expect(codec.compare(false, true)).toBeLessThan(0)
    expect(codec.compare(true, false)).toBeGreaterThan(0)
    expect(codec.compare(true, true)).toBe(0)
  })

  it.each([0, 1, '', 'true', null, undefined, new Boolean(true)])('rejects %o', (given) => {
    expect(() => codec.accept(given, 'active')).toThrow(invalidValue)
  })
})

describe('Int32', () => {
  it('turns -0 into 0', () => {
    expect(Object.is(Int32.accept(-0, 'p'), 0)).toBe(true)
    expect(Object.is(Int32.readJson(-0, 'p'), 0)).toBe(true)
  })

  it('compares the smallest and the largest value', () => {
    expect(Int32.compare(-(2 ** 31), 2 ** 31 - 1)).toBeLessThan(0)
    expect(Int32.compare(2 ** 31 - 1, -(2 ** 31))).toBeGreaterThan(0)
    expect(Int32.compare(5, 5)).toBe(0)
  })

  it.each([
    [2 ** 31 - 1, true],
    [2 ** 31, false],
    [-(2 ** 31), true],
    [-(2 ** 31) - 1, false],
    [0.5, false],
    [Number.NaN, false],
    [Number.POSITIVE_INFINITY, false],
    [2 ** 32, false],
  ])('isInt32(%d) is %s', (value, expected) => {
    expect(isInt32(value)).toBe(expected)
  })
})

describe('Int64', () => {
  it('accepts a safe integer, and turns -0 into 0', () => {
    expect(Int64.accept(Number.MAX_SAFE_INTEGER, 'p')).toBe(9_007_199_254_740_991n)
    expect(Int64.accept(-0, 'p')).toBe(0n)
  })

  it('reads a number in place of a text', () => {
    expect(Int64.readJson(5, 'p')).toBe(5n)
  })

  it('distinguishes integers that are the same number', () => {
    const text = ['9007199254740992', '9007199254740993']
    expect(text.map((digits) => Int64.readJson(digits, 'p'))).toEqual(text.map(BigInt))
    expect(Int64.compare(2n ** 53n, 2n ** 53n + 1n)).toBe(-1)
    expect(Int64.compare(2n ** 53n + 1n, 2n ** 53n)).toBe(1)
    expect(Int64.compare(5n, 5n)).toBe(0)
  })
})

describe('Double', () => {
  it('writes a fraction or an exponent for every value', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const text = Double.writeJson(value)
        expect(text).toMatch(/^-?\d+(\.\d+(e-?\d+)?|e-?\d+)$/)
        expect(Object.is(Number(text), value)).toBe(true)
        expect(Double.printLiteral(value)).toBe(text)
      }),
      { numRuns: 3_000 },
    )
  })

  it.each([
    ['4', 4],
    ['-1.5e3', -1500],
    ['NaN', Number.NaN],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['-INF', Number.NEGATIVE_INFINITY],
  ])('reads the text %s', (text, value) => {
    expect(Double.readJson(text, 'p')).toBe(value)
  })

  it('compares as IEEE 754 does', () => {
    expect(Double.compare(0, -0)).toBe(0)
    expect(Double.compare(1, 2)).toBe(-1)
    expect(Double.compare(Number.POSITIVE_INFINITY, 1e308)).toBe(1)
    expect(Double.compare(Number.NaN, Number.NaN)).toBeNaN()
  })
})

const UPPER = 'C9DA6455-213D-42C9-9A79-3E9149A57833'

describe('Guid', () => {
  it('turns upper case into lower case', () => {
    expect(Guid.accept(UPPER, 'p')).toBe(UPPER.toLowerCase())
    expect(Guid.readJson(UPPER, 'p')).toBe(UPPER.toLowerCase())
  })

  it('sorts by the bytes of the text', () => {
    const [a, b] = ['00000000-0000-0000-0000-00000000000a', '10000000-0000-0000-0000-000000000000']
    expect(Guid.compare(a as string, b as string)).toBe(-1)
    expect(Guid.compare(b as string, a as string)).toBe(1)
    expect(Guid.compare(a as string, a as string)).toBe(0)
  })

  it.each([`${UPPER}\n`, ` ${UPPER}`, `${UPPER}0`, '', 5, null])('isGuid(%j) is false', (given) => {
    expect(isGuid(given)).toBe(false)
  })
})

const { String: textCodec } = edmCodecs

describe('String', () => {
  it('accepts text of any length; the request checks the limit', () => {
    expect(textCodec.accept('x'.repeat(32_769), 'p')).toHaveLength(32_769)
    expect(textCodec.accept('', 'p')).toBe('')
  })

  it('accepts a whole surrogate pair', () => {
    expect(textCodec.accept('😀', 'p')).toBe('😀')
  })

  it('does not show the text in a message', () => {
    const secret = 'hunter2\ud800'
    expect(() => textCodec.accept(secret, 'p')).toThrow(
      /^Property "p": a string of 8 UTF-16 units ((?!hunter2).)*$/,
    )
  })

  it('sorts by UTF-16 units, so that U+1F600 stands before U+FF5E', () => {
    expect(textCodec.compare('😀', '～')).toBe(-1)
    expect(textCodec.compare('B', 'a')).toBe(-1)
    expect(textCodec.compare('b', 'a')).toBe(1)
    expect(textCodec.compare('a', 'a')).toBe(0)
  })

  it('reads half of a surrogate pair, which it would not send', () => {
    expect(textCodec.readJson('\ud800', 'p')).toBe('\ud800')
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
