import {
  DateTimeValue,
  EDM_TYPES,
  type EdmCodec,
  type EdmType,
  edmCodecs,
  inferEdmType,
} from '@rowkey/odata'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  edmCodecOf,
  isGuid,
  isInt32,
  isWellFormed,
  writeJsonText,
} from '../../../packages/odata/src/edm/edm-codecs.ts'
import { longTest } from '../../support/cases-to-play.ts'
import { invalidValue, unreadable } from '../../support/rejections.ts'
import { invalidEdmJson, invalidEdmValues } from '../../vectors/edm-invalid.ts'
import { edmValues } from '../../vectors/edm-values.ts'
import { arbitraryProperty } from '../arbitrary-values.ts'

const codecOf = (type: EdmType): EdmCodec => edmCodecOf(type)

describe('edmCodecs', () => {
  it('R-08: holds one codec for each of the eight types', () => {
    expect(Object.keys(edmCodecs)).toEqual(EDM_TYPES)
    for (const type of EDM_TYPES) expect(edmCodecs[type].type).toBe(type)
  })

  it('cannot be changed', () => {
    expect(Object.isFrozen(edmCodecs)).toBe(true)
  })

  it.each(edmValues)('R-21: writes $type $json', ({ type, value, json, annotated }) => {
    const accepted = codecOf(type).accept(value, 'p')
    expect(codecOf(type).writeJson(accepted)).toBe(json)
    expect(codecOf(type).annotates(accepted)).toBe(annotated)
  })

  it.each(edmValues)('reads $type $json', ({ type, value, json }) => {
    expect(codecOf(type).readJson(JSON.parse(json), 'p')).toEqual(value)
  })

  it.each(edmValues)('R-29: prints the literal $literal', ({ type, value, literal }) => {
    expect(codecOf(type).printLiteral(value)).toBe(literal)
  })

  it.each(invalidEdmValues)('$type rejects $title', ({ type, given, says }) => {
    const accept = () => codecOf(type).accept(given, 'age')
    expect(accept).toThrow(invalidValue)
    expect(accept).toThrow(says)
    expect(accept).toThrow(/^Property "age": /)
    expect(accept).toThrow(`is not a valid ${type}. Use `)
  })

  it.each(invalidEdmJson)('$type does not read $title', ({ type, given, says }) => {
    const read = () => codecOf(type).readJson(given, 'age')
    expect(read).toThrow(unreadable)
    expect(read).toThrow(says)
    expect(read).toThrow(/^The stored property "age" is /)
    expect(read).toThrow(`which is not a valid ${type}. It must be `)
  })

  it('reads from JSON the value that it wrote, to the bit', () => {
    fc.assert(
      fc.property(arbitraryProperty, ({ type, value }) => {
        const codec = codecOf(type)
        const back = codec.readJson(JSON.parse(codec.writeJson(value)), 'p')
        expect(codec.writeJson(back)).toBe(codec.writeJson(value))
        expect(Object.is(back, value) || codec.compare(back, value) === 0).toBe(true)
      }),
      { numRuns: 3_000 },
    )
  })

  longTest('accepts or rejects any value, with its own errors only', () => {
    fc.assert(
      fc.property(fc.constantFrom(...EDM_TYPES), fc.anything(), (type, given) => {
        const codec = codecOf(type)
        try {
          codec.writeJson(codec.accept(given, 'p'))
        } catch (error) {
          expect(error).toEqual(invalidValue)
        }
        try {
          codec.writeJson(codec.readJson(given, 'p'))
        } catch (error) {
          expect(error).toEqual(unreadable)
        }
      }),
      { numRuns: 3_000 },
    )
  })
})

const cases: readonly (readonly [given: unknown, type: EdmType | undefined])[] = [
  ['', 'String'],
  [false, 'Boolean'],
  [5, 'Int32'],
  [2 ** 31 - 1, 'Int32'],
  [2 ** 31, 'Double'],
  [-0, 'Double'],
  [0.5, 'Double'],
  [Number.NaN, 'Double'],
  [5n, 'Int64'],
  [new Date(0), 'DateTime'],
  [new DateTimeValue(0, 1), 'DateTime'],
  [{ [Symbol.toStringTag]: 'Temporal.Instant', epochNanoseconds: 0n }, 'DateTime'],
  [new Uint8Array(1), 'Binary'],
  [Buffer.from('a'), 'Binary'],
  [new ArrayBuffer(1), 'Binary'],
  [new SharedArrayBuffer(1), 'Binary'],
  [null, undefined],
  [undefined, undefined],
  [{}, undefined],
  [[], undefined],
  [new Float64Array(1), undefined],
  [Symbol('x'), undefined],
  [() => 1, undefined],
]

describe('inferEdmType', () => {
  it.each(cases)('R-08: stores %o as %s', (given, type) => {
    expect(inferEdmType(given)).toBe(type)
  })
})

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
