import { describe, expect, it } from 'vitest'
import { afterWrite, afterWrites } from '../../../packages/mapper/src/snapshot/after-write.ts'
import {
  inDoubt,
  type SentWrite,
  type Snapshot,
} from '../../../packages/mapper/src/snapshot/snapshot.ts'
import type { OverlappingWrite } from '../../../packages/mapper/src/snapshot/writes-in-flight.ts'

const origin = { account: 'contoso', table: 'people' }
const KEY = '"PartitionKey":"a","RowKey":"b"'
const raw = { PartitionKey: 'a', RowKey: 'b', x: 1, y: 1 }

/** An ETag with a Timestamp: its last seven digits. */
const at = (digits: number): string =>
  `W/"datetime'2026-11-20T12%3A00%3A00.${String(digits).padStart(7, '0')}Z'"`

const BASE = at(5)
const base: Snapshot = { origin, row: raw, etag: BASE, partial: false }

const merge = (members: string, onto?: string): SentWrite => ({
  origin,
  body: `{${KEY},${members}}`,
  whole: false,
  onto,
})
const replace = (members: string, onto?: string): SentWrite => ({
  ...merge(members, onto),
  whole: true,
})
const remove = (onto?: string): SentWrite => ({ origin, body: undefined, whole: true, onto })

/** A write that was in flight all the time, unless the test says when. */
function applied(
  write: SentWrite,
  etag: string | undefined,
  [began, ended]: readonly [number, number] = [0, 9],
): OverlappingWrite {
  return { write, etag, began, ended }
}

/** The snapshot after writes of an object that was not read meanwhile. */
const afterThese = (
  before: Snapshot | undefined,
  writes: readonly OverlappingWrite[],
  doubtful: readonly SentWrite[] = [],
): Snapshot | undefined =>
  afterWrites(before, {
    applied: writes,
    doubtful: doubtful.map((write) => ({ write, ended: 9 })),
  })

describe('after one write that overlapped no other', () => {
  it('is what is known after that write, with or without a Timestamp in its ETag', () => {
    for (const etag of [at(6), 'W/"opaque"', undefined]) {
      const write = applied(merge('"x":2', BASE), etag)
      expect(afterThese(base, [write])).toEqual(afterWrite(base, write))
    }
    expect(afterThese(base, [applied(remove(), undefined)])).toEqual({
      ...base,
      deleted: true,
    })
  })

  it('is what is known while it is in doubt', () => {
    expect(afterThese(base, [], [merge('"x":2')])).toEqual(inDoubt(base, merge('"x":2')))
    expect(afterThese(undefined, [], [merge('"x":2')])).toBeUndefined()
    expect(afterThese(base, [])).toBe(base)
  })
})

/** Every order of a list. */
function orders<Item>(items: readonly Item[]): Item[][] {
  if (items.length < 2) return [[...items]]
  return items.flatMap((item, index) =>
    orders(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
  )
}

describe('after overlapping writes', () => {
  /** All that is known when `one` stored the row again. */
  const afterOne: Snapshot = {
    origin,
    row: `{${KEY},"x":2}`,
    etag: at(6),
    partial: false,
    current: 'row',
  }
  const one = applied(merge('"x":2'), at(6))
  const two = applied(merge('"x":3,"y":3'), at(7))
  const three = applied(merge('"z":4'), at(8))

  it('those with later Timestamps win, to the last digit and in any order of the responses', () => {
    for (const order of orders([one, two, three])) {
      expect(afterThese(base, order)).toEqual({
        origin,
        row: { ...raw, x: 3, y: 3, z: 4 },
        etag: at(8),
        partial: false,
        current: new Set(['z']),
      })
    }
  })

  it('the Timestamps count, and not the order in which the writes began', () => {
    const swapped = [applied(one.write, at(7)), applied(two.write, at(6))]
    for (const order of orders(swapped)) {
      expect(afterThese(base, order)).toMatchObject({
        row: { x: 2, y: 3 },
        etag: at(7),
        current: new Set(['x']),
      })
    }
  })

  it('a whole entity overwrites earlier merges, and later merges change it', () => {
    const whole = applied(replace('"w":1'), at(7))
    const into = applied(merge('"z":4', at(7)), at(8))
    for (const order of orders([one, whole, into])) {
      expect(afterThese(base, order)).toEqual({
        origin,
        row: { PartitionKey: 'a', RowKey: 'b', w: 1, z: 4 },
        etag: at(8),
        partial: false,
      })
    }
  })

  it('what a chain of conditional merges sent is known, from the first that went past others', () => {
    const first = applied(merge('"x":2'), at(6))
    const second = applied(merge('"y":3', at(6)), at(7))
    for (const order of orders([first, second])) {
      expect(afterThese(base, order)?.current).toEqual(new Set(['x', 'y']))
    }
    const known = applied(merge('"x":2', BASE), at(6))
    for (const order of orders([known, second])) {
      expect(afterThese(base, order)?.current).toBeUndefined()
    }
  })

  it('nothing but what was sent is known of a row that was never read', () => {
    for (const order of orders([one, two])) {
      expect(afterThese(undefined, order)).toMatchObject({
        row: { PartitionKey: 'a', RowKey: 'b', x: 3, y: 3 },
        etag: at(7),
        current: new Set(['x', 'y']),
      })
    }
  })

  it.each([
    ['no Timestamp at all', 'W/"1"', 'W/"2"'],
    ['a Timestamp in only one of them', at(6), 'W/"2"'],
    ['no ETag', at(6), undefined],
  ])('everything sent is in doubt, and no ETag is known, with %s', (_, first, second) => {
    for (const order of orders([applied(one.write, first), applied(three.write, second)])) {
      expect(afterThese(base, order)).toEqual({
        ...base,
        etag: undefined,
        current: new Set(),
        doubtful: new Set(['x', 'z']),
      })
      expect(afterThese(undefined, order)).toBeUndefined()
    }
  })

  it('a write that may have been applied leaves in doubt what it sent, also if another sent it', () => {
    const after = afterThese(base, [two], [one.write])
    expect(after).toMatchObject({ row: { x: 3, y: 3 }, etag: at(7) })
    expect(after?.doubtful).toEqual(new Set(['x']))
  })

  it('a delete past others may have come before or after the others, and what was there before is gone', () => {
    const deleted = applied(remove(), undefined)
    for (const order of orders([deleted, one])) {
      expect(afterThese(base, order)).toEqual({ ...afterOne, maybeDeleted: true })
    }
  })

  it('a delete past others leaves nothing of what was there before writes without an order', () => {
    const deleted = applied(remove(), undefined)
    const unordered = applied(merge('"x":2'), undefined)
    for (const order of orders([deleted, unordered])) {
      expect(afterThese(base, order)).toMatchObject({
        row: `{${KEY},"x":2}`,
        etag: undefined,
        maybeDeleted: true,
      })
    }
  })

  it('a delete by the ETag of a version came next after that version', () => {
    const first = applied(remove(BASE), undefined)
    for (const order of orders([first, one])) {
      expect(afterThese(base, order)).toEqual(afterOne)
    }
    const last = applied(remove(at(6)), undefined)
    for (const order of orders([last, one])) {
      expect(afterThese(base, order)).toMatchObject({ etag: at(6), deleted: true })
    }
  })

  it('the row is gone after several deletes', () => {
    const deletes = [applied(remove(), undefined), applied(remove(BASE), undefined)]
    for (const order of orders(deletes)) {
      expect(afterThese(base, order)).toEqual({ ...base, initial: undefined, deleted: true })
    }
  })

  it('deletes before and after a write are ordered around it', () => {
    const before = applied(remove(), undefined, [0, 1])
    const whole = applied(replace('"w":1'), at(6), [2, 3])
    const after = applied(remove(), undefined, [4, 5])
    for (const order of orders([before, whole, after])) {
      expect(afterThese(base, order)).toMatchObject({ etag: at(6), deleted: true })
    }
    for (const order of orders([before, whole])) {
      expect(afterThese(base, order)).toEqual(afterWrite(undefined, whole))
    }
  })

  it('one that began after another had ended came later, also without Timestamps', () => {
    const first = applied(merge('"x":2'), 'W/"1"', [0, 1])
    const second = applied(merge('"x":3', 'W/"1"'), 'W/"2"', [2, 3])
    for (const order of orders([first, second])) {
      expect(afterThese(base, order)).toMatchObject({
        row: { x: 3, y: 1 },
        etag: 'W/"2"',
        current: new Set(['x']),
      })
    }
  })
})
