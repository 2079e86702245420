import {
  EDM_TYPES,
  type EdmCodec,
  type EdmType,
  edmCodecs,
  PropertyValueError,
} from '@rowkey/odata'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { edmCodecOf } from '../../../packages/odata/src/edm/edm-codecs.ts'
import { edmJsonRefusals, edmRefusals } from '../../vectors/edm-refusals.ts'
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

  it.each(edmRefusals)('$type does not take $title', ({ type, given, says }) => {
    expect(() => codecOf(type).accept(given, 'age')).toThrow(PropertyValueError)
    expect(() => codecOf(type).accept(given, 'age')).toThrow(says)
    expect(() => codecOf(type).accept(given, 'age')).toThrow('Property "age" cannot hold')
  })

  it.each(edmJsonRefusals)('$type does not read $title', ({ type, given, says }) => {
    expect(() => codecOf(type).readJson(given, 'age')).toThrow(PropertyValueError)
    expect(() => codecOf(type).readJson(given, 'age')).toThrow(says)
  })

  it('reads back from JSON whatever it wrote, to the bit', () => {
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

  it('refuses or takes anything at all, and fails in no other way', () => {
    fc.assert(
      fc.property(fc.constantFrom(...EDM_TYPES), fc.anything(), (type, given) => {
        const codec = codecOf(type)
        for (const take of [codec.accept, codec.readJson]) {
          try {
            codec.writeJson(take(given, 'p'))
          } catch (error) {
            expect(error).toBeInstanceOf(PropertyValueError)
          }
        }
      }),
      { numRuns: 3_000 },
    )
  })
})
