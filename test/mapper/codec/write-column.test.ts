import {
  type Converter,
  encryptionKeys,
  jsonText,
  modelOf,
  PartitionKey,
  RowKey,
} from '@rowkey/mapper'
import { edmCodecs } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  type ColumnCodec,
  columnCodec,
  readStored,
} from '../../../packages/mapper/src/codec/column-codec.ts'
import {
  changeOf,
  convertedValue,
  storedMembers,
  wireMembers,
} from '../../../packages/mapper/src/codec/write-column.ts'
import { memberJson, type StoredValue } from '../../../packages/mapper/src/member/stored-member.ts'
import { invalidValue } from '../../support/rejections.ts'
import { Customer } from '../customer.ts'
import { aColumn } from './a-column.ts'

const key = { partitionKey: 'a', rowKey: 'b' }

/** Writes a column of a whole entity. */
function whole(column: ColumnCodec, value: unknown, stored: StoredValue | undefined): string {
  const change = changeOf(column, value, stored)
  if (change !== '' || stored === undefined) return change ?? ''
  return storedMembers(column, stored, { key, raw: undefined, isCopied: true })
}

describe('a column of a whole entity', () => {
  it.each([
    ['String', 'a', ',"m":"a"'],
    ['Int32', 3, ',"m":3'],
    ['Double', 3, ',"m@odata.type":"Edm.Double","m":3.0'],
    ['Int64', 3n, ',"m@odata.type":"Edm.Int64","m":"3"'],
    ['Boolean', false, ',"m":false'],
  ] as const)('writes a declared %s with its type', (type, value, text) => {
    expect(whole(aColumn(type), value, undefined)).toBe(text)
  })

  it.each([
    ['a', ',"m":"a"'],
    [3, ',"m":3'],
    [3.5, ',"m":3.5'],
    [3n, ',"m@odata.type":"Edm.Int64","m":"3"'],
    [new Date(0), ',"m@odata.type":"Edm.DateTime","m":"1970-01-01T00:00:00Z"'],
    [new Uint8Array([1]), ',"m@odata.type":"Edm.Binary","m":"AQ=="'],
  ])('writes %o as its own type when none is declared', (value, text) => {
    expect(whole(aColumn(), value, undefined)).toBe(text)
  })

  it.each([
    [['a'], /an array\. Put @Json\(\) on it to store it as JSON text/],
    [{ a: 1 }, /Put @Json\(\) on it to store it as JSON text/],
    [Symbol('a'), /type symbol\. .*@Convert\(\) to store it as another value/],
  ])('names the decorator that stores %o', (value, message) => {
    expect(() => whole(aColumn(), value, undefined)).toThrow(message)
  })

  it.each([undefined, null])('R-09: writes nothing for %s', (value) => {
    expect(whole(aColumn('String'), value, undefined)).toBe('')
    expect(whole(aColumn(), value, { type: 'Int32', value: 3 })).toBe('')
  })

  it('keeps a number that was stored as a Double a Double', () => {
    const stored = { type: 'Double', value: 3 } as const
    expect(whole(aColumn(), 3, stored)).toBe(',"m@odata.type":"Edm.Double","m":3.0')
    expect(whole(aColumn(), 4, stored)).toBe(',"m@odata.type":"Edm.Double","m":4.0')
  })

  it('keeps text that was stored as a Guid a Guid', () => {
    const guid = '00000000-0000-0000-0000-000000000001'
    const stored = { type: 'Guid', value: guid } as const
    expect(whole(aColumn(), guid, stored)).toBe(`,"m@odata.type":"Edm.Guid","m":"${guid}"`)
    expect(() => whole(aColumn(), 'other', stored)).toThrow(invalidValue)
  })

  it('keeps the stored type of an unchanged value, although another type is declared', () => {
    const stored = { type: 'Int32', value: 3 } as const
    expect(whole(aColumn('Double'), 3, stored)).toBe(',"m":3')
    expect(whole(aColumn('Double'), 4, stored)).toBe(',"m@odata.type":"Edm.Double","m":4.0')
    expect(whole(aColumn('Int64'), 3n, stored)).toBe(',"m":3')
  })

  it('names class, member and rule for a value of the wrong type', () => {
    expect(() => whole(aColumn('Int64'), 'five', undefined)).toThrow(invalidValue)
    expect(() => whole(aColumn('Int64'), 'five', undefined)).toThrow(
      /^Property "Person\.member": a string of 4 UTF-16 units is not a valid Int64\. Use /,
    )
  })

  it.each([[[1]], [{}], [new Map()], [Symbol('x')]])('rejects %o', (value) => {
    const write = () => whole(aColumn(), value, undefined)
    expect(write).toThrow(invalidValue)
    expect(write).toThrow(/^Person\.member: .*@Ignore\(\)/)
  })
})

describe('changeOf', () => {
  const stored = { type: 'Double', value: Number.NaN } as const

  it('is empty for a value that is as it was read', () => {
    expect(changeOf(aColumn('Double'), Number.NaN, stored)).toBe('')
    expect(changeOf(aColumn(), Number.NaN, stored)).toBe('')
  })

  it('distinguishes 0 from -0', () => {
    const zero = { type: 'Double', value: 0 } as const
    expect(changeOf(aColumn('Double'), -0, zero)).toContain('-0.0')
  })

  it('sees a Date and bytes that were changed in place', () => {
    const date = { type: 'DateTime', value: new Date(0) } as const
    expect(changeOf(aColumn(), new Date(1), date)).not.toBe('')
    expect(changeOf(aColumn(), new Date(0), date)).toBe('')
    const bytes = { type: 'Binary', value: new Uint8Array([1, 2]) } as const
    expect(changeOf(aColumn(), new Uint8Array([1, 3]), bytes)).not.toBe('')
    expect(changeOf(aColumn(), new Uint8Array([1, 2]), bytes)).toBe('')
  })

  it('is a value whose type changed', () => {
    expect(changeOf(aColumn(), 'x', stored)).toBe(',"m":"x"')
  })

  it.each([undefined, null])('R-09: is undefined for %s', (value) => {
    expect(changeOf(aColumn('Double'), value, stored)).toBeUndefined()
    expect(changeOf(aColumn('Double'), value, undefined)).toBeUndefined()
  })
})

describe('storedMembers', () => {
  it('is the stored text of a converted value', () => {
    const column = columnCodec(modelOf(Customer), {
      property: 'member',
      name: 'm',
      type: undefined,
      converter: jsonText(),
    })
    const stored = { type: 'String', value: '[1, 2]' } as const
    expect(whole(column, '[1, 2]', stored)).toBe(',"m":"[1, 2]"')
  })
})

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

class Person {
  @PartitionKey() lastName = ''
  @RowKey() firstName = ''
}

const encryption = encryptionKeys({ current: 'k', keys: { k: Buffer.alloc(32, 1) } })
const member = (keys?: typeof encryption) =>
  columnCodec(modelOf(Person), { property: 'm', name: 'm', type: undefined, encryption: keys })
const smith = { partitionKey: 'Smith', rowKey: 'Jeff' }
const place = { key: smith, raw: undefined }

describe('wireMembers', () => {
  it('is the member itself when it is plain', () => {
    expect(wireMembers(member(), ',"m":"x"', place)).toBe(',"m":"x"')
  })

  it.each([
    ['Double', 3],
    ['Int64', 5n],
    ['String', '"quoted\\'],
  ] as const)('is a Binary that holds the %s', (type, value) => {
    const sealed = member(encryption)
    const text = wireMembers(sealed, memberJson(sealed.member, type, value), place)
    const { m } = JSON.parse(`{${text.slice(1)}}`)
    expect(edmCodecs.Binary.readJson(m, 'm').length).toBeGreaterThan(30)
    const raw = { PartitionKey: 'Smith', RowKey: 'Jeff', 'm@odata.type': 'Edm.Binary', m }
    expect(readStored(sealed, raw)).toEqual({ type, value })
  })
})
