import { type Converter, jsonText } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { ValueConversion } from '../../../packages/mapper/src/convert/value-conversion.ts'
import { invalidValue } from '../../support/rejections.ts'

const key = { partitionKey: 'a', rowKey: 'b' }
const cents: Converter<number, bigint> = {
  type: 'Int64',
  toStored: (euros) => BigInt(Math.round(euros * 100)),
  fromStored: (stored) => Number(stored) / 100,
}

describe('ValueConversion', () => {
  it('converts values, and converts them back', () => {
    const conversion = new ValueConversion(cents, 'Order.total')
    expect(conversion.toStored(9.5, key)).toBe(950n)
    expect(conversion.fromStored(950n, key)).toBe(9.5)
  })

  it('passes the entity key to the converter', () => {
    const bound: Converter<string, string> = {
      type: 'String',
      toStored: (value, { rowKey }) => `${rowKey}:${value}`,
      fromStored: (stored, { rowKey }) => stored.slice(rowKey.length + 1),
    }
    const conversion = new ValueConversion(bound, 'Order.note')
    expect(conversion.toStored('x', key)).toBe('b:x')
    expect(conversion.fromStored('b:x', key)).toBe('x')
  })

  it('names the property when the converter throws, and does not repeat a message that may quote the value', () => {
    const conversion = new ValueConversion(cents, 'Order.total')
    expect(() => conversion.toStored('secret', key)).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'ConversionFailed' }),
    )
    expect(() => conversion.toStored('secret', key)).toThrow(
      'Order.total cannot be written: its converter threw an error.',
    )
  })

  it('repeats the message of an error of Rowkey', () => {
    const conversion = new ValueConversion(jsonText(), 'Order.lines')
    expect(() => conversion.toStored(5n, key)).toThrow(/^Order\.lines cannot be written: .*bigint/)
    expect(() => conversion.fromStored('{', key)).toThrow(
      /^Order\.lines cannot be read: .*not JSON/,
    )
  })

  it('keeps a stored value that is another spelling of an unchanged member', () => {
    const upper: Converter<string, string> = {
      type: 'String',
      toStored: (value) => value.toUpperCase(),
      fromStored: (stored) => stored.toLowerCase(),
    }
    const conversion = new ValueConversion(upper, 'Order.note')
    expect(conversion.update('aBc', 'abc', key)).toBe('aBc')
    expect(conversion.update('aBc', 'abd', key)).toBe('ABD')
  })

  it('replaces a stored value that could be read and could not be written', () => {
    const positive: Converter<number, bigint> = {
      ...cents,
      toStored: (value) => {
        if (value < 0) throw new Error('negative')
        return cents.toStored(value, key)
      },
    }
    const conversion = new ValueConversion(positive, 'Order.total')
    expect(conversion.update(-100n, -1, key)).toBe(-100n)
    expect(conversion.update(-100n, 1, key)).toBe(100n)
    expect(() => conversion.update(-100n, -2, key)).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'ConversionFailed' }),
    )
  })

  it('lets a converter update a stored value', () => {
    const note: Converter<string, string> = {
      type: 'String',
      toStored: (value) => `1|${value}`,
      fromStored: (stored) => stored.split('|')[1] ?? '',
      update: (stored, value, { rowKey }) => {
        if (value === '') throw new Error('secret')
        return `${stored.split('|')[0]}|${value}${rowKey}`
      },
    }
    const conversion = new ValueConversion(note, 'Order.note')
    expect(conversion.update('7|old', 'new', key)).toBe('7|newb')
    expect(() => conversion.update('7|old', '', key)).toThrow(
      'Order.note cannot be written: its converter threw an error.',
    )
    const wrong = { ...note, update: () => 5 } as unknown as Converter
    expect(() => new ValueConversion(wrong, 'Order.note').update('7|old', 'x', key)).toThrow(
      invalidValue,
    )
  })

  it('rejects a stored value that is not of the type of the converter', () => {
    const wrong = { ...cents, toStored: () => 'five' } as unknown as Converter
    expect(() => new ValueConversion(wrong, 'Order.total').toStored(5, key)).toThrow(invalidValue)
  })
})
