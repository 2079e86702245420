import { type Converter, jsonText, modelOf } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { columnCodec } from '../../../packages/mapper/src/codec/column-codec.ts'
import { convertedValue } from '../../../packages/mapper/src/codec/write-column.ts'
import { Customer } from '../customer.ts'

const key = { partitionKey: 'a', rowKey: 'b' }
const json = (text: string) => ({ type: 'String', value: text }) as const
const columnOf = (converter?: Converter) =>
  columnCodec(modelOf(Customer), { property: 'm', name: 'm', type: undefined, converter })
const column = columnOf(jsonText())

describe('convertedValue', () => {
  it('is the result of the converter', () => {
    expect(convertedValue(column, [1], key)).toBe('[1]')
  })

  it('leaves null, undefined, and values without a converter as they are', () => {
    expect(convertedValue(column, null, key, json('[1]'))).toBeNull()
    expect(convertedValue(column, undefined, key, json('[1]'))).toBeUndefined()
    expect(convertedValue(columnOf(), 'x', key, json('[1]'))).toBe('x')
  })

  it('keeps stored text that reads as null while the member is null', () => {
    expect(convertedValue(column, null, key, json(' null'))).toBe(' null')
    expect(convertedValue(column, undefined, key, json(' null'))).toBeUndefined()
  })

  it('keeps a leniently read value that cannot be written, while it is unchanged', () => {
    const lenient = columnOf(jsonText(z.array(z.string()), { read: 'lenient' }))
    expect(convertedValue(lenient, [1], key, json('[ 1 ]'))).toBe('[ 1 ]')
    for (const changed of [[2], [1n]]) {
      expect(() => convertedValue(lenient, changed, key, json('[ 1 ]'))).toThrow(
        expect.objectContaining({ name: 'InputError', code: 'ConversionFailed' }),
      )
    }
    expect(() => convertedValue(lenient, [1], key)).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'ConversionFailed' }),
    )
  })

  it('is the stored text, when it is another spelling of the same value', () => {
    expect(convertedValue(column, [1, 2], key, json('[1, 2.0]'))).toBe('[1, 2.0]')
    expect(convertedValue(column, [1, 3], key, json('[1, 2.0]'))).toBe('[1,3]')
  })

  it('tells 0 from -0, which the service stores apart', () => {
    const doubled: Converter<number, number> = {
      type: 'Double',
      toStored: (value) => value * 2,
      fromStored: (stored) => stored / 2,
    }
    for (const [value, before] of [
      [0, -0],
      [-0, 0],
    ] as const) {
      const stored = { type: 'Double', value: before } as const
      expect(convertedValue(columnOf(doubled), value, key, stored)).toBe(value)
      expect(convertedValue(columnOf(doubled), before, key, stored)).toBe(before)
    }
  })

  it('replaces a value that its converter cannot read', () => {
    const even: Converter<number, number> = {
      type: 'Int32',
      toStored: (value) => value,
      fromStored(stored) {
        if (stored % 2 === 1) throw new Error('odd')
        return stored
      },
    }
    expect(convertedValue(columnOf(even), 4, key, { type: 'Int32', value: 3 })).toBe(4)
  })

  it('does not read the stored value of a member that is never read', () => {
    const oneWay: Converter = {
      type: 'String',
      toStored: String,
      fromStored: () => expect.unreachable(),
    }
    const computed = { ...columnOf(oneWay), computed: true }
    expect(convertedValue(computed, 5, key, json('4'))).toBe('5')
  })
})
