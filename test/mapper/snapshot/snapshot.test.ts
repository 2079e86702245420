import { describe, expect, it } from 'vitest'
import { Row } from '../../../packages/mapper/src/member/row.ts'
import {
  afterWrite,
  currentNames,
  inDoubt,
  isComplete,
  isOfRow,
  isOfTable,
  keepSnapshot,
  type SentRow,
  type Snapshot,
  snapshotOf,
} from '../../../packages/mapper/src/snapshot/snapshot.ts'
import { plain } from '../plain-snapshot.ts'

const origin = { account: 'contoso', table: 'people' }
const key = { partitionKey: 'a', rowKey: 'b' }
const snapshot: Snapshot = {
  origin,
  row: Row.read({ PartitionKey: 'a', RowKey: 'b', x: 1 }),
  etag: 'W/"1"',
  partial: false,
}
const WRITTEN = Row.written(key, '{"PartitionKey":"a","RowKey":"b","x":3.0}')

describe('a snapshot', () => {
  it('stays with its object', () => {
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

describe('currentNames', () => {
  it('are those of the row, those that are listed, or all', () => {
    expect(currentNames({ ...snapshot, row: WRITTEN, current: 'row' })).toEqual(new Set(['x']))
    expect(currentNames({ ...snapshot, current: 'row' })).toEqual(new Set(['x']))
    expect(currentNames({ ...snapshot, current: new Set(['y']) })).toEqual(new Set(['y']))
    expect(currentNames(snapshot)).toBeUndefined()
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
    expect(isOfRow({ ...snapshot, row: WRITTEN }, origin, key)).toBe(true)
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

describe('transitions', () => {
  const origin = { account: 'contoso', table: 'people' }
  const KEY = '"PartitionKey":"a","RowKey":"b"'
  const raw = { PartitionKey: 'a', RowKey: 'b', x: 1, y: 1 }

  /** An ETag with a Timestamp: its last seven digits. */
  const at = (digits: number): string =>
    `W/"datetime'2026-11-20T12%3A00%3A00.${String(digits).padStart(7, '0')}Z'"`

  const BASE = at(5)
  const base: Snapshot = { origin, row: Row.read(raw), etag: BASE, partial: false }

  const merge = (members: string, onto?: string): SentRow => ({
    origin,
    row: Row.written(key, `{${KEY},${members}}`),
    whole: false,
    onto,
  })
  const replace = (members: string, onto?: string): SentRow => ({
    ...merge(members, onto),
    whole: true,
  })
  const remove = (onto?: string): SentRow => ({ origin, row: undefined, whole: true, onto })

  describe('after a whole entity was written', () => {
    it.each<[string, Snapshot | undefined]>([
      ['nothing was known', undefined],
      ['everything was known', base],
      ['only a part was read', { ...base, partial: true }],
      ['an earlier write went past others', { ...base, current: new Set(['x']) }],
      ['an earlier write is in doubt', { ...base, doubtful: new Set(['x', 'y']) }],
      ['the row was deleted', { ...base, exists: 'no' }],
      ['the class has defaults', { ...base, initial: new Map([['z', ',"z":0']]) }],
      ['the row was migrated', { ...base, other: 'earlier' }],
    ])('exactly that is known, if before %s', (_, before) => {
      const write = replace('"x":2', BASE)
      const expected = { origin, row: write.row, etag: at(6), partial: false }
      expect(plain(afterWrite(before, write, at(6)))).toStrictEqual(plain(expected))
    })

    it('its ETag is unknown when the service returns no ETag', () => {
      const after = afterWrite(base, replace('"x":2'), undefined)
      expect(after).toMatchObject({ etag: undefined, partial: false })
    })
  })

  describe('after a delete', () => {
    it('the ETag stays, so that the next write that is conditional on it fails', () => {
      const before = { ...base, doubtful: new Set(['x']) }
      expect(plain(afterWrite(before, remove(BASE), undefined))).toEqual(
        plain({
          ...before,
          exists: 'no',
        }),
      )
    })

    it('nothing is known if nothing was', () => {
      expect(afterWrite(undefined, remove(), undefined)).toBeUndefined()
    })
  })

  describe('after a merge into the known version', () => {
    it('everything is known at the new one', () => {
      const write = merge('"x":2', BASE)
      expect(plain(afterWrite(base, write, at(6)))).toEqual(
        plain({
          origin,
          row: { ...raw, x: 2 },
          etag: at(6),
          partial: false,
        }),
      )
    })

    it('a part is still a part', () => {
      const part = { ...base, partial: true }
      expect(plain(afterWrite(part, merge('"z":2', BASE), at(6)))).toEqual(
        plain({
          origin,
          row: { ...raw, z: 2 },
          etag: at(6),
          partial: true,
        }),
      )
    })

    it('what was known at that version is still known, and what was sent', () => {
      const before = { ...base, current: new Set(['x']) }
      const after = afterWrite(before, merge('"z":2', BASE), at(6))
      expect(after?.current).toEqual(new Set(['x', 'z']))
    })

    it('a delete in doubt has not happened', () => {
      const after = afterWrite({ ...base, exists: 'no' }, merge('"x":2', BASE), at(6))
      expect(plain(after)).toEqual(
        plain({ origin, row: { ...raw, x: 2 }, etag: at(6), partial: false }),
      )
    })
  })

  describe.each<[string, string | undefined]>([
    ['whatever was stored', undefined],
    ['a version that was not read', at(9)],
  ])('after a merge into %s', (_, onto) => {
    it('only what was sent is known at the new version', () => {
      const after = afterWrite(base, merge('"x":2', onto), at(10))
      expect(plain(after)).toEqual(
        plain({
          origin,
          row: { ...raw, x: 2 },
          etag: at(10),
          partial: false,
          current: new Set(['x']),
        }),
      )
    })

    it('what was known at an earlier version is forgotten', () => {
      const before = { ...base, current: new Set(['x']) }
      const after = afterWrite(before, merge('"z":2', onto), at(10))
      expect(after?.current).toEqual(new Set(['z']))
    })

    it('a part is still a part', () => {
      const part = { ...base, partial: true }
      expect(afterWrite(part, merge('"x":2', onto), at(10))).toMatchObject({
        partial: true,
        current: new Set(['x']),
      })
    })

    it('an object that was never read knows only what was sent', () => {
      const write = merge('"x":2', onto)
      expect(plain(afterWrite(undefined, write, at(10)))).toEqual(
        plain({
          origin,
          row: write.row,
          etag: at(10),
          partial: false,
          current: 'row',
        }),
      )
    })

    it('an object whose row was deleted knows only what was sent', () => {
      const before: Snapshot = { ...base, partial: true, exists: 'no', doubtful: new Set(['y']) }
      const write = merge('"x":2', onto)
      expect(plain(afterWrite(before, write, at(10)))).toEqual(
        plain({
          origin,
          row: write.row,
          etag: at(10),
          partial: false,
          current: 'row',
        }),
      )
    })
  })

  describe('after any merge', () => {
    it('a merge without a condition does not match a version without an ETag', () => {
      const before = { ...base, etag: undefined }
      const after = afterWrite(before, merge('"x":2'), at(6))
      expect(after?.current).toEqual(new Set(['x']))
    })

    it.each([BASE, undefined])('what was sent is no longer in doubt, and the rest is', (onto) => {
      const before = { ...base, doubtful: new Set(['x', 'y']) }
      const one = afterWrite(before, merge('"x":2', onto), at(6))
      expect(one?.doubtful).toEqual(new Set(['y']))
      const both = afterWrite(before, merge('"x":2,"y":2', onto), at(6))
      expect(both?.doubtful).toBeUndefined()
    })

    it('a default of the class that was sent counts as stored, and the others do not', () => {
      const initial = new Map([
        ['x', ',"x":0'],
        ['z', ',"z":0'],
      ])
      const after = afterWrite({ ...base, initial }, merge('"x":2', BASE), at(6))
      expect(after?.initial).toEqual(new Map([['z', ',"z":0']]))
    })

    it('the snapshot before is as it was', () => {
      const before: Snapshot = {
        ...base,
        current: new Set(['x']),
        doubtful: new Set(['y']),
        initial: new Map([['z', ',"z":0']]),
      }
      const copy = structuredClone(plain(before))
      afterWrite(before, merge('"y":2,"z":3', BASE), at(6))
      inDoubt(before, replace('"y":2,"z":3'))
      expect(plain(before)).toEqual(copy)
    })
  })

  describe('while a write is in doubt', () => {
    it('nothing is known if nothing was', () => {
      for (const write of [merge('"x":2'), replace('"x":2'), remove()]) {
        expect(inDoubt(undefined, write)).toBeUndefined()
      }
    })

    it('a merge leaves in doubt what it sent, and keeps the row and its ETag', () => {
      const before = { ...base, partial: true, current: new Set(['y']) }
      expect(plain(inDoubt(before, merge('"x":2')))).toEqual(
        plain({ ...before, doubtful: new Set(['x']) }),
      )
    })

    it('a replace leaves in doubt also what it would remove', () => {
      const after = inDoubt(base, replace('"z":2'))
      expect(plain(after)).toEqual(plain({ ...base, doubtful: new Set(['x', 'y', 'z']) }))
      const written = { ...base, row: Row.written(key, `{${KEY},"w":1}`) }
      expect(inDoubt(written, replace('"z":2'))?.doubtful).toEqual(new Set(['w', 'z']))
    })

    it('what was in doubt before is still in doubt', () => {
      const before = { ...base, doubtful: new Set(['y']) }
      expect(inDoubt(before, merge('"x":2'))?.doubtful).toEqual(new Set(['x', 'y']))
    })

    it('a write that may store a deleted row again leaves current what was', () => {
      const before: Snapshot = { ...base, current: 'row', exists: 'no' }
      const after = inDoubt(before, merge('"z":2'))
      expect(after?.current).toEqual(new Set(['x', 'y']))
    })

    it('a write by the ETag of a deleted row leaves nothing in doubt', () => {
      const deleted: Snapshot = { ...base, exists: 'no' }
      for (const write of [merge('"x":2', BASE), replace('"x":2', BASE), remove(BASE), remove()]) {
        expect(inDoubt(deleted, write)).toBe(deleted)
      }
    })

    it('a write past others may have stored a deleted row again', () => {
      const doubt = { exists: 'maybe', doubtful: new Set(['x']) }
      const deleted: Snapshot = { ...base, exists: 'no' }
      for (const write of [merge('"x":2'), merge('"x":2', at(9)), replace('"x":2')]) {
        // Nothing else of the deleted row can be stored.
        expect(plain(inDoubt(deleted, write))).toEqual(
          plain({ ...deleted, ...doubt, row: write.row }),
        )
      }
    })

    it('a delete leaves the existence of the row in doubt, and no property', () => {
      expect(plain(inDoubt(base, remove(BASE)))).toEqual(plain({ ...base, exists: 'maybe' }))
    })

    it('a default of the class that was sent may be stored, and the others are not', () => {
      const initial = new Map([
        ['x', ',"x":0'],
        ['z', ',"z":0'],
      ])
      const after = inDoubt({ ...base, initial }, merge('"x":2'))
      expect(after?.initial).toEqual(new Map([['z', ',"z":0']]))
    })
  })
})
