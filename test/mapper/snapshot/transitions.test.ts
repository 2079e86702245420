import { describe, expect, it } from 'vitest'
import type { Snapshot } from '../../../packages/mapper/src/snapshot/snapshot.ts'
import {
  type AppliedWrite,
  afterMerge,
  afterWrite,
  afterWrites,
  inDoubt,
  namesIn,
  type SentWrite,
} from '../../../packages/mapper/src/snapshot/transitions.ts'

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
const applied = (write: SentWrite, etag: string | undefined): AppliedWrite => ({ write, etag })

describe('after a whole entity was written', () => {
  it.each<[string, Snapshot | undefined]>([
    ['nothing was known', undefined],
    ['everything was known', base],
    ['only a part was read', { ...base, partial: true }],
    ['an earlier write went past others', { ...base, current: new Set(['x']) }],
    ['an earlier write is in doubt', { ...base, doubtful: new Set(['x', 'y']) }],
    ['the row was deleted', { ...base, deleted: true }],
    ['the class has defaults', { ...base, initial: new Map([['z', ',"z":0']]) }],
    ['the row was migrated', { ...base, migrated: 'forward' }],
  ])('exactly that is known, if before %s', (_, before) => {
    const write = replace('"x":2', BASE)
    const expected = { origin, row: write.body, etag: at(6), partial: false }
    expect(afterWrite(before, applied(write, at(6)))).toStrictEqual(expected)
  })

  it('its ETag is unknown when the service tells none', () => {
    const after = afterWrite(base, applied(replace('"x":2'), undefined))
    expect(after).toMatchObject({ etag: undefined, partial: false })
  })
})

describe('after a delete', () => {
  it('the ETag stays, so that the next write that is conditional on it fails', () => {
    const before = { ...base, doubtful: new Set(['x']) }
    expect(afterWrite(before, applied(remove(BASE), undefined))).toEqual({
      ...before,
      deleted: true,
    })
  })

  it('nothing is known if nothing was', () => {
    expect(afterWrite(undefined, applied(remove(), undefined))).toBeUndefined()
  })
})

describe('after a merge into the known version', () => {
  it('everything is known at the new one', () => {
    const write = merge('"x":2', BASE)
    expect(afterWrite(base, applied(write, at(6)))).toEqual({
      origin,
      row: { ...raw, x: 2 },
      etag: at(6),
      partial: false,
    })
  })

  it('a part is still a part', () => {
    const part = { ...base, partial: true }
    expect(afterWrite(part, applied(merge('"z":2', BASE), at(6)))).toEqual({
      origin,
      row: { ...raw, z: 2 },
      etag: at(6),
      partial: true,
    })
  })

  it('what was known at that version is still known, and what was sent', () => {
    const before = { ...base, current: new Set(['x']) }
    const after = afterWrite(before, applied(merge('"z":2', BASE), at(6)))
    expect(after?.current).toEqual(new Set(['x', 'z']))
  })

  it('a delete in doubt has not happened', () => {
    const after = afterWrite({ ...base, deleted: true }, applied(merge('"x":2', BASE), at(6)))
    expect(after).toEqual({ origin, row: { ...raw, x: 2 }, etag: at(6), partial: false })
  })
})

describe.each<[string, string | undefined]>([
  ['whatever was stored', undefined],
  ['a version that was not read', at(9)],
])('after a merge into %s', (_, onto) => {
  it('only what was sent is known at the new version', () => {
    const after = afterWrite(base, applied(merge('"x":2', onto), at(10)))
    expect(after).toEqual({
      origin,
      row: { ...raw, x: 2 },
      etag: at(10),
      partial: false,
      current: new Set(['x']),
    })
  })

  it('what was known at an earlier version is known no longer', () => {
    const before = { ...base, current: new Set(['x']) }
    const after = afterWrite(before, applied(merge('"z":2', onto), at(10)))
    expect(after?.current).toEqual(new Set(['z']))
  })

  it('a part is still a part', () => {
    const part = { ...base, partial: true }
    expect(afterWrite(part, applied(merge('"x":2', onto), at(10)))).toMatchObject({
      partial: true,
      current: new Set(['x']),
    })
  })

  it('an object that was never read knows only what was sent', () => {
    const write = merge('"x":2', onto)
    expect(afterWrite(undefined, applied(write, at(10)))).toEqual({
      origin,
      row: write.body,
      etag: at(10),
      partial: false,
      current: new Set(['x']),
    })
  })

  it('an object whose row was deleted knows only what was sent', () => {
    const before = { ...base, partial: true, deleted: true, doubtful: new Set(['y']) }
    const write = merge('"x":2', onto)
    expect(afterWrite(before, applied(write, at(10)))).toEqual({
      origin,
      row: write.body,
      etag: at(10),
      partial: false,
      current: new Set(['x']),
    })
  })
})

describe('after any merge', () => {
  it('a merge without a condition does not match a version without an ETag', () => {
    const before = { ...base, etag: undefined }
    const after = afterWrite(before, applied(merge('"x":2'), at(6)))
    expect(after?.current).toEqual(new Set(['x']))
  })

  it.each([BASE, undefined])('what was sent is no longer in doubt, and the rest is', (onto) => {
    const before = { ...base, doubtful: new Set(['x', 'y']) }
    const one = afterWrite(before, applied(merge('"x":2', onto), at(6)))
    expect(one?.doubtful).toEqual(new Set(['y']))
    const both = afterWrite(before, applied(merge('"x":2,"y":2', onto), at(6)))
    expect(both?.doubtful).toBeUndefined()
  })

  it('a default of the class that was sent counts as stored, and the others do not', () => {
    const initial = new Map([
      ['x', ',"x":0'],
      ['z', ',"z":0'],
    ])
    const after = afterWrite({ ...base, initial }, applied(merge('"x":2', BASE), at(6)))
    expect(after?.initial).toEqual(new Map([['z', ',"z":0']]))
  })

  it('the snapshot before is as it was', () => {
    const before: Snapshot = {
      ...base,
      current: new Set(['x']),
      doubtful: new Set(['y']),
      initial: new Map([['z', ',"z":0']]),
    }
    const copy = structuredClone(before)
    afterWrite(before, applied(merge('"y":2,"z":3', BASE), at(6)))
    inDoubt(before, replace('"y":2,"z":3'))
    expect(before).toEqual(copy)
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
    expect(inDoubt(before, merge('"x":2'))).toEqual({ ...before, doubtful: new Set(['x']) })
  })

  it('a replace leaves in doubt also what it would remove', () => {
    const after = inDoubt(base, replace('"z":2'))
    expect(after).toEqual({ ...base, doubtful: new Set(['x', 'y', 'z']) })
    const written = { ...base, row: `{${KEY},"w":1}` }
    expect(inDoubt(written, replace('"z":2'))?.doubtful).toEqual(new Set(['w', 'z']))
  })

  it('what was in doubt before is still in doubt', () => {
    const before = { ...base, doubtful: new Set(['y']) }
    expect(inDoubt(before, merge('"x":2'))?.doubtful).toEqual(new Set(['x', 'y']))
  })

  it('a delete leaves the existence of the row in doubt, and no property', () => {
    expect(inDoubt(base, remove(BASE))).toEqual({ ...base, maybeDeleted: true })
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

describe('after one write that overlapped no other', () => {
  it('is what is known after that write, with or without a Timestamp in its ETag', () => {
    for (const etag of [at(6), 'W/"opaque"', undefined]) {
      const write = applied(merge('"x":2', BASE), etag)
      expect(afterWrites(base, [write], [])).toEqual(afterWrite(base, write))
    }
    expect(afterWrites(base, [applied(remove(), undefined)], [])).toEqual({
      ...base,
      deleted: true,
    })
  })

  it('is what is known while it is in doubt', () => {
    expect(afterWrites(base, [], [merge('"x":2')])).toEqual(inDoubt(base, merge('"x":2')))
    expect(afterWrites(undefined, [], [merge('"x":2')])).toBeUndefined()
    expect(afterWrites(base, [], [])).toBe(base)
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
  const one = applied(merge('"x":2'), at(6))
  const two = applied(merge('"x":3,"y":3'), at(7))
  const three = applied(merge('"z":4'), at(8))

  it('those with later Timestamps win, to the last digit and in any order of the responses', () => {
    for (const order of orders([one, two, three])) {
      expect(afterWrites(base, order, [])).toEqual({
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
      expect(afterWrites(base, order, [])).toMatchObject({
        row: { x: 2, y: 3 },
        etag: at(7),
        current: new Set(['x']),
      })
    }
  })

  it('a whole entity hides what was merged before it, and takes what was merged into it', () => {
    const whole = applied(replace('"w":1'), at(7))
    const into = applied(merge('"z":4', at(7)), at(8))
    for (const order of orders([one, whole, into])) {
      expect(afterWrites(base, order, [])).toEqual({
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
      expect(afterWrites(base, order, [])?.current).toEqual(new Set(['x', 'y']))
    }
    const known = applied(merge('"x":2', BASE), at(6))
    for (const order of orders([known, second])) {
      expect(afterWrites(base, order, [])?.current).toBeUndefined()
    }
  })

  it('nothing but what was sent is known of a row that was never read', () => {
    for (const order of orders([one, two])) {
      expect(afterWrites(undefined, order, [])).toMatchObject({
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
      expect(afterWrites(base, order, [])).toEqual({
        ...base,
        etag: undefined,
        current: new Set(),
        doubtful: new Set(['x', 'z']),
      })
      expect(afterWrites(undefined, order, [])).toBeUndefined()
    }
  })

  it('a write that may have been applied leaves in doubt what it sent, also if another sent it', () => {
    const after = afterWrites(base, [two], [one.write])
    expect(after).toMatchObject({ row: { x: 3, y: 3 }, etag: at(7) })
    expect(after?.doubtful).toEqual(new Set(['x']))
  })

  it('a delete may have come before or after the others', () => {
    const deleted = applied(remove(), undefined)
    for (const order of orders([deleted, one])) {
      expect(afterWrites(base, order, [])).toEqual({
        ...afterWrite(base, one),
        maybeDeleted: true,
      })
    }
    for (const order of orders([deleted, deleted])) {
      expect(afterWrites(base, order, [])).toEqual({ ...base, maybeDeleted: true })
    }
  })
})

describe('after a write that ends when the row was read since', () => {
  const write = (etag: string) => applied(merge('"x":2'), etag)

  it('nothing changes if what was read is later', () => {
    expect(afterWrites(base, [write(at(4))], [])).toBe(base)
  })

  it('the write counts if it is later, or is the version that was read', () => {
    for (const etag of [at(6), BASE]) {
      expect(afterWrites(base, [write(etag)], [])).toMatchObject({ row: { x: 2 }, etag })
    }
  })

  it('the write counts if its ETag spells the Timestamp that was read otherwise', () => {
    const etag = BASE.replaceAll('%3A', '%3a')
    expect(afterWrites(base, [write(etag)], [])).toMatchObject({ row: { x: 2 }, etag })
  })

  it('the write counts if one of the ETags holds no Timestamp', () => {
    const opaque = { ...base, etag: 'W/"opaque"' }
    expect(afterWrites(opaque, [write(at(4))], [])).toMatchObject({ etag: at(4) })
    expect(afterWrites(base, [write('W/"opaque"')], [])).toMatchObject({ etag: 'W/"opaque"' })
    const unknown = { ...base, etag: undefined }
    expect(afterWrites(unknown, [write(at(4))], [])).toMatchObject({ etag: at(4) })
  })

  it('of several, those that are later count', () => {
    const both = [applied(merge('"x":2'), at(4)), applied(merge('"y":3', BASE), at(6))]
    for (const order of orders(both)) {
      expect(afterWrites(base, order, [])).toEqual({
        origin,
        row: { ...raw, y: 3 },
        etag: at(6),
        partial: false,
      })
    }
  })
})

describe('afterMerge', () => {
  const before = { PartitionKey: 'a', 'n@odata.type': 'Edm.Int64', n: '5', x: 1 }

  it('puts what was merged over what was stored', () => {
    expect(afterMerge(before, '{"x":2,"y":3.0}')).toEqual({
      ...before,
      x: 2,
      'y@odata.type': 'Edm.Double',
      y: 3,
    })
  })

  it('keeps no annotation of the old type beside a value of another type', () => {
    expect(afterMerge(before, '{"n":6}')).toEqual({ PartitionKey: 'a', n: 6, x: 1 })
    const guid = afterMerge(before, '{"n@odata.type":"Edm.Guid","n":"g"}')
    expect(guid).toMatchObject({ 'n@odata.type': 'Edm.Guid', n: 'g' })
  })

  it('leaves the row before as it is', () => {
    afterMerge(before, '{"n":6}')
    expect(before).toEqual({ PartitionKey: 'a', 'n@odata.type': 'Edm.Int64', n: '5', x: 1 })
  })
})

describe('namesIn', () => {
  it('is what a body sends, without the key', () => {
    const names = namesIn(`{${KEY},"x":1,"n@odata.type":"Edm.Int64","n":"5"}`)
    expect([...names].filter((name) => !name.includes('@'))).toEqual(['x', 'n'])
    expect(namesIn(`{${KEY}}`).size).toBe(0)
  })
})
