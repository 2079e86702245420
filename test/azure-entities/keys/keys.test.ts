import Entity, { type PropertyTypes } from '@rowkey/azure-entities'
import { describe, expect, it } from 'vitest'

const { keys, types } = Entity
const invalidKey = expect.objectContaining({ code: 'InvalidKey' })

function bound(definition: ReturnType<typeof keys.HashKey>, properties: PropertyTypes) {
  const names = Object.entries(properties)
  return definition.bind(Object.fromEntries(names.map(([name, Type]) => [name, new Type(name)])))
}

describe('StringKey', () => {
  const key = bound(keys.StringKey('p'), { p: types.String })

  it.each([
    ['', '!'],
    ['a-b_c.d', 'a-b_c.d'],
    ["'()*", "'()*"],
    ['a/b c', 'a!2Fb!20c'],
    ['!~%', '!21!7e!25'],
    ['é', '!C3!A9'],
  ])('R-124: escapes %j as %j', (value, text) => {
    expect(key.exact({ p: value })).toBe(text)
  })

  it.each([
    [types.Number, 42.5, '42.5'],
    [types.Boolean, true, 'true'],
    [types.Date, new Date(0), '1970-01-01T00!3A00!3A00.000Z'],
    [types.UUID, 'F47AC10B-58CC-4372-A567-0E02B2C3D479', 'f47ac10b-58cc-4372-a567-0e02b2c3d479'],
    [types.SlugId, 'nvItOmAyRiOvSSWCAHkobQ', 'nvItOmAyRiOvSSWCAHkobQ'],
  ])('R-124: prints values of other types', (type, value, text) => {
    expect(bound(keys.StringKey('p'), { p: type }).exact({ p: value })).toBe(text)
  })

  it('rejects half of a surrogate pair', () => {
    expect(() => key.exact({ p: '\ud800' })).toThrow(
      expect.objectContaining({ code: 'InvalidValue' }),
    )
  })

  it('rejects types that are stored as bytes, and more than one property', () => {
    const ofText = bound(keys.StringKey('p'), { p: types.Text })
    expect(() => ofText.exact({ p: 'a' })).toThrow(invalidKey)
    const stringKey = keys.StringKey as (...names: string[]) => unknown
    expect(() => stringKey('a', 'b')).toThrow(invalidKey)
  })
})

describe('ConstantKey', () => {
  it('R-124: is the same for all entities, escaped', () => {
    expect(bound(keys.ConstantKey('a b!~'), {}).exact({})).toBe('a!20b!21!7e')
    expect(bound(keys.ConstantKey('kv-pair'), {}).covers).toEqual([])
  })
})

describe('CompositeKey', () => {
  it('R-124: joins its parts with a tilde', () => {
    const key = bound(keys.CompositeKey('a', 'b'), { a: types.String, b: types.Number })
    expect(key.exact({ a: '~', b: 42 })).toBe('!7e~42')
    expect(key.exact({ a: '', b: 0 })).toBe('!~0')
  })
})

describe('HashKey', () => {
  const key = bound(keys.HashKey('text1', 'text2'), { text1: types.Text, text2: types.String })

  it('R-124: is the SHA-512 of its parts, as azure-entities makes it', () => {
    expect(key.exact({ text1: 'some text for the key', text2: 'another string for the key' })).toBe(
      '8cdcd277cf2ddcb7be572019ef15475686484a3c3eeb4fe3caa5727f0aadd7c9' +
        '8b873a64a7c54336a3f973e1902d4f1f1dbe7a067943b12b3948a96b4a3acc19',
    )
  })

  it('R-124: does not depend on the order of members of JSON', () => {
    const ofJson = bound(keys.HashKey('p'), { p: types.JSON })
    expect(ofJson.exact({ p: { a: 1, b: { 10: 1, 9: 2 } } })).toBe(
      ofJson.exact({ p: { b: { 9: 2, 10: 1 }, a: 1 } }),
    )
  })
})

describe('the keys of integers', () => {
  const properties = { p: types.PositiveInteger }

  it('R-124: sort in ascending or in descending order', () => {
    const ascending = bound(keys.AscendingIntegerKey('p'), properties)
    const descending = bound(keys.DescendingIntegerKey('p'), properties)
    expect([0, 5, 2 ** 32].map((p) => ascending.exact({ p }))).toEqual([
      '00000000000',
      '00000000005',
      '04294967296',
    ])
    expect([0, 5, 2 ** 32].map((p) => descending.exact({ p }))).toEqual([
      '9999999999',
      '9999999994',
      '5705032703',
    ])
  })

  it('need the type PositiveInteger', () => {
    expect(() => bound(keys.AscendingIntegerKey('p'), { p: types.Number })).toThrow(invalidKey)
    expect(() => bound(keys.DescendingIntegerKey('p'), {})).toThrow(invalidKey)
  })
})

describe('a key', () => {
  it('R-143: names the property that has no value', () => {
    const key = bound(keys.CompositeKey('a', 'b'), { a: types.String, b: types.String })
    expect(() => key.exact({ a: 'x' })).toThrow(
      expect.objectContaining({ code: 'MissingKeyProperty', details: { property: 'b' } }),
    )
  })
})
