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
} from '../../../packages/mapper/src/codec/sent-member.ts'
import type { Snapshot } from '../../../packages/mapper/src/snapshot/snapshot.ts'
import { Customer } from '../customer.ts'

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

  it('is what the object holds, but for an initial value of what was not selected', () => {
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

  it('holds for a member that shows what is stored', () => {
    expect(isSame([1, 2], raw)).toBe(true)
    expect([isSame([1], raw), isSame(undefined, raw), isSame(null, raw)]).toEqual([
      false,
      false,
      false,
    ])
  })

  it('holds for what the class gave to a property that is not stored', () => {
    expect([isSame(undefined, {}), isSame(null, {})]).toEqual([true, true])
    expect(isSame([], {}, ',"m":"[]"')).toBe(true)
    expect([isSame([7], {}, ',"m":"[]"'), isSame([], {})]).toEqual([false, false])
  })
})

describe('initialMember', () => {
  it('is what a merge would write', () => {
    expect(initialMember(column, [], { PartitionKey: 'a', RowKey: 'b' })).toBe(',"m":"[]"')
  })
})
