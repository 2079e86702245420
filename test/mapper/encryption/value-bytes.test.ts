import { DateTimeValue, type EdmType, type EdmValue } from '@rowkey/odata'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  decodeValue,
  encodeValue,
  TYPE_CODES,
} from '../../../packages/mapper/src/encryption/value-bytes.ts'

const dateTimes = fc
  .tuple(fc.integer({ min: -11_644_473_600_000, max: 253_402_300_799_999 }), fc.nat(9_999))
  .map(([ms, ticks]) => new DateTimeValue(ms, ticks))

const values: { readonly [Type in EdmType]: fc.Arbitrary<EdmValue<Type>> } = {
  Binary: fc.uint8Array(),
  Boolean: fc.boolean(),
  DateTime: dateTimes,
  Double: fc.double(),
  Guid: fc.uuid(),
  Int32: fc.integer(),
  Int64: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  String: fc.string({ unit: 'grapheme' }),
}

describe('encodeValue', () => {
  it.each<[EdmType, EdmValue, string]>([
    ['Binary', Uint8Array.of(0, 255), '0100ff'],
    ['Boolean', true, '0201'],
    ['Boolean', false, '0200'],
    ['DateTime', new DateTimeValue(0, 1), '030000000000000001'],
    ['DateTime', new DateTimeValue(-1, 9_999), '03ffffffffffffffff'],
    ['Double', 1, '043ff0000000000000'],
    ['Double', -0, '048000000000000000'],
    ['Guid', '00112233-4455-6677-8899-aabbccddeeff', '0500112233445566778899aabbccddeeff'],
    ['Int32', -2, '06fffffffe'],
    ['Int64', -2n, '07fffffffffffffffe'],
    ['String', 'é', '08c3a9'],
    ['String', '', '08'],
  ])('writes the %s %s as documented', (type, value, hex) => {
    expect(Buffer.from(encodeValue({ type, value })).toString('hex')).toBe(hex)
  })

  it('decodes every value of every type exactly', () => {
    const typed = Object.entries(values).map(([type, of]) =>
      (of as fc.Arbitrary<EdmValue>).map((value) => ({ type: type as EdmType, value })),
    )
    fc.assert(
      fc.property(fc.oneof(...typed), (given) => {
        expect(decodeValue(encodeValue(given))).toEqual(given)
      }),
      { numRuns: 500 },
    )
  })

  it('has a code of its own for each type', () => {
    expect(new Set(Object.values(TYPE_CODES)).size).toBe(8)
  })
})

describe('decodeValue', () => {
  it.each([
    '',
    '00',
    '09ff',
    '02',
    '0202',
    '020100',
    '0300',
    '0400',
    '0500',
    '0600',
    '0700',
    '08c3',
  ])('finds no value in %s', (hex) => {
    expect(decodeValue(Buffer.from(hex, 'hex'))).toBeUndefined()
  })
})
