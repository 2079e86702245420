import { jsonText, modelOf } from '@rowkey/mapper'
import type { RawEntity } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { columnCodec } from '../../../packages/mapper/src/codec/column-codec.ts'
import { NOWHERE } from '../../../packages/mapper/src/codec/row-codec.ts'
import {
  changedMember,
  initialMember,
  isUntouched,
  partMember,
  wholeMember,
  writeChange,
  writeColumn,
} from '../../../packages/mapper/src/codec/write-column.ts'
import type { Snapshot } from '../../../packages/mapper/src/snapshot/snapshot.ts'
import { invalidValue } from '../../support/rejections.ts'
import { Customer } from '../customer.ts'
import { aColumn } from './a-column.ts'

describe('writeColumn', () => {
  it.each([
    ['String', 'a', ',"m":"a"'],
    ['Int32', 3, ',"m":3'],
    ['Double', 3, ',"m@odata.type":"Edm.Double","m":3.0'],
    ['Int64', 3n, ',"m@odata.type":"Edm.Int64","m":"3"'],
    ['Boolean', false, ',"m":false'],
  ] as const)('writes a declared %s with its type', (type, value, text) => {
    expect(writeColumn(aColumn(type), value, undefined)).toBe(text)
  })

  it.each([
    ['a', ',"m":"a"'],
    [3, ',"m":3'],
    [3.5, ',"m":3.5'],
    [3n, ',"m@odata.type":"Edm.Int64","m":"3"'],
    [new Date(0), ',"m@odata.type":"Edm.DateTime","m":"1970-01-01T00:00:00Z"'],
    [new Uint8Array([1]), ',"m@odata.type":"Edm.Binary","m":"AQ=="'],
  ])('writes %o as its own type when none is declared', (value, text) => {
    expect(writeColumn(aColumn(), value, undefined)).toBe(text)
  })

  it.each([
    [['a'], /an array\. Put @Json\(\) on it to store it as JSON text/],
    [{ a: 1 }, /Put @Json\(\) on it to store it as JSON text/],
    [Symbol('a'), /type symbol\. Put @Convert\(\) on it/],
  ])('names the decorator that stores %o', (value, message) => {
    expect(() => writeColumn(aColumn(), value, undefined)).toThrow(message)
  })

  it.each([undefined, null])('R-09: writes nothing for %s', (value) => {
    expect(writeColumn(aColumn('String'), value, undefined)).toBe('')
    expect(writeColumn(aColumn(), value, { type: 'Int32', value: 3 })).toBe('')
  })

  it('keeps a number that was stored as a Double a Double', () => {
    const stored = { type: 'Double', value: 3 } as const
    expect(writeColumn(aColumn(), 3, stored)).toBe(',"m@odata.type":"Edm.Double","m":3.0')
    expect(writeColumn(aColumn(), 4, stored)).toBe(',"m@odata.type":"Edm.Double","m":4.0')
  })

  it('keeps text that was stored as a Guid a Guid', () => {
    const guid = '00000000-0000-0000-0000-000000000001'
    const stored = { type: 'Guid', value: guid } as const
    expect(writeColumn(aColumn(), guid, stored)).toBe(`,"m@odata.type":"Edm.Guid","m":"${guid}"`)
    expect(() => writeColumn(aColumn(), 'other', stored)).toThrow(invalidValue)
  })

  it('keeps the stored type of an unchanged value, although another type is declared', () => {
    const stored = { type: 'Int32', value: 3 } as const
    expect(writeColumn(aColumn('Double'), 3, stored)).toBe(',"m":3')
    expect(writeColumn(aColumn('Double'), 4, stored)).toBe(',"m@odata.type":"Edm.Double","m":4.0')
    expect(writeColumn(aColumn('Int64'), 3n, stored)).toBe(',"m":3')
  })

  it('names class, member and rule for a value of the wrong type', () => {
    expect(() => writeColumn(aColumn('Int64'), 'five', undefined)).toThrow(invalidValue)
    expect(() => writeColumn(aColumn('Int64'), 'five', undefined)).toThrow(
      /^Property "Person\.member": a string of 4 UTF-16 units is not a valid Int64\. Use /,
    )
  })

  it.each([[[1]], [{}], [new Map()], [Symbol('x')]])('rejects %o', (value) => {
    const write = () => writeColumn(aColumn(), value, undefined)
    expect(write).toThrow(invalidValue)
    expect(write).toThrow(/^Person\.member: .*@Ignore\(\)/)
  })
})

describe('writeChange', () => {
  const stored = { type: 'Double', value: Number.NaN } as const

  it('writes nothing for a value that is as it was read', () => {
    expect(writeChange(aColumn('Double'), Number.NaN, stored, undefined)).toBe('')
    expect(writeChange(aColumn(), Number.NaN, stored, undefined)).toBe('')
  })

  it('distinguishes 0 from -0', () => {
    const zero = { type: 'Double', value: 0 } as const
    expect(writeChange(aColumn('Double'), -0, zero, undefined)).toContain('-0.0')
  })

  it('sees a Date and bytes that were changed in place', () => {
    const date = { type: 'DateTime', value: new Date(0) } as const
    expect(writeChange(aColumn(), new Date(1), date, undefined)).not.toBe('')
    expect(writeChange(aColumn(), new Date(0), date, undefined)).toBe('')
    const bytes = { type: 'Binary', value: new Uint8Array([1, 2]) } as const
    expect(writeChange(aColumn(), new Uint8Array([1, 3]), bytes, undefined)).not.toBe('')
    expect(writeChange(aColumn(), new Uint8Array([1, 2]), bytes, undefined)).toBe('')
  })

  it('writes a value whose type changed', () => {
    expect(writeChange(aColumn(), 'x', stored, undefined)).toBe(',"m":"x"')
  })

  it('R-103: writes nothing for an unchanged initial value that is not stored', () => {
    expect(writeChange(aColumn(), 0, undefined, ',"m":0')).toBe('')
    expect(writeChange(aColumn(), 1, undefined, ',"m":0')).toBe(',"m":1')
  })

  it.each([undefined, null])(
    'R-09: rejects an attempt to merge %s over a stored value',
    (value) => {
      expect(() => writeChange(aColumn('Double'), value, stored, undefined)).toThrow(
        /Person\.member is stored but is now (undefined|null): a merge cannot remove a property\. Use replace/,
      )
      expect(writeChange(aColumn('Double'), value, undefined, undefined)).toBe('')
    },
  )
})

const key = { partitionKey: 'a', rowKey: 'b' }
const column = columnCodec(modelOf(Customer), {
  property: 'member',
  name: 'm',
  type: undefined,
  converter: jsonText(),
})
const raw = { m: '[1, 2]' }
const snapshot: Snapshot = { origin: NOWHERE, row: raw, etag: undefined, partial: false }

describe('wholeMember', () => {
  it('is the converted value, or the stored text of an unchanged value', () => {
    expect(wholeMember(column, { members: { member: [1] }, key, raw: undefined })).toBe(
      ',"m":"[1]"',
    )
    expect(wholeMember(column, { members: { member: [1, 2] }, key, raw })).toBe(',"m":"[1, 2]"')
    expect(wholeMember(column, { members: {}, key, raw: undefined })).toBe('')
  })
})

describe('partMember', () => {
  const part = (value: unknown, from: RawEntity = raw) =>
    partMember(
      column,
      { members: { member: value }, key, raw: from },
      { ...snapshot, partial: true, initial: new Map([['m', ',"m":"[]"']]) },
    )

  it('is the value of the object, except an initial value of an unselected member', () => {
    expect(part([1, 2])).toBe(',"m":"[1, 2]"')
    expect(part([], {})).toBe('')
    expect(part([7], {})).toBe(',"m":"[7]"')
  })
})

describe('changedMember', () => {
  it('is empty for an unchanged value, unless the stored value is in doubt', () => {
    const entity = { members: { member: [1, 2] }, key, raw }
    expect(changedMember(column, entity, snapshot)).toBe('')
    const doubtful = { ...snapshot, doubtful: new Set(['m']) }
    expect(changedMember(column, entity, doubtful)).toBe(',"m":"[1, 2]"')
    expect(changedMember(column, entity, { ...snapshot, doubtful: new Set(['x']) })).toBe('')
    const emptied = { ...entity, members: { member: [] } }
    expect(changedMember(column, emptied, snapshot)).toBe(',"m":"[]"')
  })
})

describe('isUntouched', () => {
  const isSame = (value: unknown, from: RawEntity, initial?: string) =>
    isUntouched(
      column,
      { members: { member: value }, key, raw: from },
      { ...snapshot, row: from, initial: new Map(initial === undefined ? [] : [['m', initial]]) },
    )

  it('is true of a member that shows its stored value', () => {
    expect(isSame([1, 2], raw)).toBe(true)
    expect([isSame([1], raw), isSame(undefined, raw), isSame(null, raw)]).toEqual([
      false,
      false,
      false,
    ])
  })

  it('is true of an initial value of a property that is not stored', () => {
    expect([isSame(undefined, {}), isSame(null, {})]).toEqual([true, true])
    expect(isSame([], {}, ',"m":"[]"')).toBe(true)
    expect([isSame([7], {}, ',"m":"[]"'), isSame([], {})]).toEqual([false, false])
  })
})

describe('initialMember', () => {
  it('is what a merge would write', () => {
    expect(initialMember(column, [], { PartitionKey: 'a', RowKey: 'b' })).toBe(',"m":"[]"')
  })
  it('writes what did not change but is in doubt with its stored type', () => {
    const inDoubt = { ...snapshot, doubtful: new Set(['m']), initial: new Map([['m', ',"m":0']]) }
    const double = { 'm@odata.type': 'Edm.Double', m: 3 }
    const read = { members: { member: 3 }, key, raw: double }
    expect(changedMember(aColumn(), read, inDoubt)).toBe(',"m@odata.type":"Edm.Double","m":3.0')
    const missing = { members: { member: 0 }, key, raw: {} }
    expect(changedMember(aColumn(), missing, inDoubt)).toBe('')
  })
})
