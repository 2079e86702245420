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
import { edmCodecOf } from '../../../packages/odata/src/edm/edm-codecs.ts'
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
