import { describe, expect, it } from 'vitest'
import {
  isComplete,
  isOfRow,
  isOfTable,
  keepSnapshot,
  keyOfSnapshot,
  rowBehind,
  rowOf,
  type Snapshot,
  snapshotOf,
} from '../../../packages/mapper/src/snapshot/snapshot.ts'

const origin = { account: 'contoso', table: 'people' }
const key = { partitionKey: 'a', rowKey: 'b' }
const snapshot: Snapshot = {
  origin,
  row: { PartitionKey: 'a', RowKey: 'b', x: 1 },
  etag: 'W/"1"',
  partial: false,
}
const TEXT = '{"PartitionKey":"a","RowKey":"b","x":3.0}'

describe('a snapshot', () => {
  it('stays with the object that it was kept for', () => {
    const [one, other] = [{}, {}]
    keepSnapshot(one, snapshot)
    expect(snapshotOf(one)).toBe(snapshot)
    expect(snapshotOf(other)).toBeUndefined()
  })

  it('is replaced by the next one', () => {
    const entity = {}
    keepSnapshot(entity, snapshot)
    const next = { ...snapshot, etag: 'W/"2"' }
    keepSnapshot(entity, next)
    expect(snapshotOf(entity)).toBe(next)
  })

  it('is not visible to enumeration, JSON, comparison and copies', () => {
    const entity = { age: 5 }
    keepSnapshot(entity, snapshot)
    expect(Reflect.ownKeys(entity)).toEqual(['age'])
    expect(JSON.stringify(entity)).toBe('{"age":5}')
    expect(entity).toEqual({ age: 5 })
    for (const copy of [{ ...entity }, structuredClone(entity), Object.create(entity)]) {
      expect(snapshotOf(copy)).toBeUndefined()
    }
  })

  it('can be kept for a frozen object, and replaced', () => {
    const entity = Object.freeze({ age: 5 })
    keepSnapshot(entity, { ...snapshot, etag: 'W/"0"' })
    keepSnapshot(entity, snapshot)
    expect(snapshotOf(entity)).toBe(snapshot)
  })
})

describe('the row of a snapshot', () => {
  it('is the object that was read', () => {
    expect(rowOf(snapshot)).toBe(snapshot.row)
  })

  it('is parsed once from the text that was written, at first need', () => {
    const written = { ...snapshot, row: TEXT }
    const row = rowOf(written)
    expect(row).toEqual({ PartitionKey: 'a', RowKey: 'b', 'x@odata.type': 'Edm.Double', x: 3 })
    expect(rowOf(written)).toBe(row)
  })

  it('is found behind an object that has a snapshot', () => {
    const entity = {}
    expect(rowBehind(entity)).toBeUndefined()
    keepSnapshot(entity, { ...snapshot, row: TEXT })
    expect(rowBehind(entity)).toMatchObject({ x: 3 })
  })

  it('holds the key', () => {
    expect(keyOfSnapshot(snapshot)).toEqual(key)
    expect(keyOfSnapshot({ ...snapshot, row: TEXT })).toEqual(key)
  })
})

describe('isOfTable', () => {
  it('holds for the same table of the same account', () => {
    expect(isOfTable(snapshot, { ...origin })).toBe(true)
    expect(isOfTable(snapshot, { ...origin, table: 'orders' })).toBe(false)
    expect(isOfTable(snapshot, { ...origin, account: 'fabrikam' })).toBe(false)
  })
})

describe('isOfRow', () => {
  it('holds for the same key in the same table', () => {
    expect(isOfRow(snapshot, { ...origin }, { ...key })).toBe(true)
    expect(isOfRow({ ...snapshot, row: TEXT }, origin, key)).toBe(true)
  })

  it.each([
    ['another account', { ...origin, account: 'fabrikam' }, key],
    ['another table', { ...origin, table: 'orders' }, key],
    ['another PartitionKey', origin, { ...key, partitionKey: 'A' }],
    ['another RowKey', origin, { ...key, rowKey: '' }],
    ['swapped keys', origin, { partitionKey: 'b', rowKey: 'a' }],
  ])('does not hold for %s', (_, where, which) => {
    expect(isOfRow(snapshot, where, which)).toBe(false)
  })
})

describe('isComplete', () => {
  it('holds when all that is stored is known at the version of the ETag', () => {
    expect(isComplete(snapshot)).toBe(true)
    expect(isComplete({ ...snapshot, doubtful: new Set(['x']) })).toBe(true)
  })

  it('does not hold for a projection, or after a write that went past others', () => {
    expect(isComplete({ ...snapshot, partial: true })).toBe(false)
    expect(isComplete({ ...snapshot, current: new Set(['x']) })).toBe(false)
    expect(isComplete({ ...snapshot, current: new Set() })).toBe(false)
  })
})
