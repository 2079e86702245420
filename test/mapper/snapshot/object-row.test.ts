import { Entity, Json, modelOf, PartitionKey, RowKey } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { Row } from '../../../packages/mapper/src/member/row.ts'
import type { Snapshot } from '../../../packages/mapper/src/snapshot/snapshot.ts'
import { NOWHERE } from '../../../packages/mapper/src/snapshot/snapshot.ts'
import { objectsOf } from '../object-codec.ts'

@Entity('people')
class Person {
  @PartitionKey() lastName = 'a'
  @RowKey() firstName = 'b'
  @Json() m?: unknown
}

const codec = objectsOf(modelOf(Person))
const key = { PartitionKey: 'a', RowKey: 'b' }
const person = (m: unknown) => Object.assign(new Person(), { m })
const snapshot: Snapshot = {
  origin: NOWHERE,
  row: Row.read({ ...key, m: '[1, 2]' }),
  etag: undefined,
  partial: false,
}
const members = (text: string | undefined) =>
  text?.replace('{"PartitionKey":"a","RowKey":"b"', '').slice(0, -1)

describe('writeRow and writeShown', () => {
  it('write the converted value, or the stored text of an unchanged value', () => {
    expect(members(codec.write(person([1])))).toBe(',"m":"[1]"')
    const read = codec.read({ ...key, m: '[1, 2]' })
    expect(members(codec.write(read))).toBe(',"m":"[1, 2]"')
    expect(members(codec.writeShown(read, undefined))).toBe(',"m":"[1, 2]"')
    expect(members(codec.write(person(undefined)))).toBe('')
  })

  it('leave out an initial value of an unselected member', () => {
    const part = {
      ...snapshot,
      row: Row.read(key),
      partial: true,
      initial: new Map([['m', ',"m":"[]"']]),
    }
    expect(members(codec.writeShown(person([]), part))).toBe('')
    expect(members(codec.writeShown(person([7]), part))).toBe(',"m":"[7]"')
  })
})

describe('writeChanges', () => {
  it('leaves out an unchanged value, unless the stored value is in doubt', () => {
    expect(codec.writeChanges(person([1, 2]), snapshot)).toBeUndefined()
    const doubtful = { ...snapshot, doubtful: new Set(['m']) }
    expect(members(codec.writeChanges(person([1, 2]), doubtful))).toBe(',"m":"[1, 2]"')
    const other = { ...snapshot, doubtful: new Set(['x']) }
    expect(codec.writeChanges(person([1, 2]), other)).toBeUndefined()
    expect(members(codec.writeChanges(person([]), snapshot))).toBe(',"m":"[]"')
  })

  it('R-103: leaves out an initial value of a property that is not stored', () => {
    const fresh = { ...snapshot, row: Row.read(key), initial: new Map([['m', ',"m":"[]"']]) }
    expect(codec.writeChanges(person([]), fresh)).toBeUndefined()
    expect(members(codec.writeChanges(person([7]), fresh))).toBe(',"m":"[7]"')
    const inDoubt = { ...fresh, doubtful: new Set(['m']) }
    expect(codec.writeChanges(person([]), inDoubt)).toBeUndefined()
  })

  it.each([undefined, null])('R-09: rejects %s where a value is stored', (value) => {
    expect(() => codec.writeChanges(person(value), snapshot)).toThrow(
      /^Person\.m is stored, but has no value now: a merge cannot remove a property\. Use replace/,
    )
    expect(codec.writeChanges(person(value), { ...snapshot, row: Row.read(key) })).toBeUndefined()
    const inDoubt = { ...snapshot, row: Row.read(key), doubtful: new Set(['m']) }
    expect(() => codec.writeChanges(person(value), inDoubt)).toThrow(
      'Person.m may be stored, because the outcome of an earlier write is unknown',
    )
  })
})
