import { describe, expect, it } from 'vitest'
import { Row } from '../../../packages/mapper/src/member/row.ts'
import {
  currentNames,
  keepSnapshot,
  type Snapshot,
  snapshotOf,
} from '../../../packages/mapper/src/snapshot/snapshot.ts'
import {
  afterApplied,
  afterUncertain,
  keepReloaded,
  pendingSnapshot,
  pendingWrite,
  reloadsOf,
  snapshotAfter,
  takeTurn,
  type WrittenObject,
} from '../../../packages/mapper/src/snapshot/written-object.ts'
import { losingAccount } from '../fresh-account.ts'
import { plain } from '../plain-snapshot.ts'
import { at, jeff, Player, players } from './players.ts'

const etagAt = (second: number) => `W/"datetime'2026-11-20T12%3A00%3A0${second}.1234567Z'"`

const origin = { account: 'contoso', table: 'people' }

const key = { partitionKey: 'a', rowKey: 'b' }
const raw = { PartitionKey: 'a', RowKey: 'b', x: 1, y: 1 }
const base: Snapshot = { origin, row: Row.read(raw), etag: etagAt(0), partial: false }

/** An object that knows its row. */
function known(snapshot: Snapshot = base): object {
  const entity = {}
  keepSnapshot(entity, snapshot)
  return entity
}

const elsewhere: [string, Partial<WrittenObject>][] = [
  ['another account', { origin: { ...origin, account: 'fabrikam' } }],
  ['another table', { origin: { ...origin, table: 'orders' } }],
  ['another PartitionKey', { key: { ...key, partitionKey: 'c' } }],
  ['another RowKey', { key: { ...key, rowKey: 'c' } }],
]

/** Makes a merge of an object. */
function merging(
  entity: object,
  members: string,
  rest: Partial<WrittenObject> = {},
): WrittenObject {
  const { partitionKey, rowKey } = rest.key ?? key
  const text = `{"PartitionKey":"${partitionKey}","RowKey":"${rowKey}",${members}}`
  return {
    entity,
    origin,
    key,
    row: Row.written(rest.key ?? key, text),
    whole: false,
    onto: undefined,
    known: snapshotOf(entity),
    shape: { showVersion: () => {} },
    reloads: reloadsOf(entity),
    outcome: {},
    ...rest,
  }
}

describe('one write', () => {
  it('changes what the object knows when it was applied', () => {
    const entity = known()
    const write = merging(entity, '"x":2', { onto: etagAt(0) })
    expect(snapshotOf(entity)).toBe(base)
    const after = afterApplied(write, etagAt(1))
    expect(plain(after)).toEqual({ ...base, row: { ...raw, x: 2 }, etag: etagAt(1) })
    expect(snapshotOf(entity)).toBe(after)
  })

  it('leaves what it sent in doubt when it may have been applied', () => {
    const entity = known()
    afterUncertain(merging(entity, '"x":2'))
    expect(plain(snapshotOf(entity))).toEqual(plain({ ...base, doubtful: new Set(['x']) }))
  })

  it('changes nothing when it was not applied', () => {
    const entity = known()
    const write = merging(entity, '"x":2')
    takeTurn(write).end()
    expect(snapshotOf(entity)).toBe(base)
    expect(snapshotAfter(write)).toBe(base)
  })

  it('lets an object know its row that has never been read', () => {
    const entity = {}
    const after = afterApplied(merging(entity, '"x":2'), etagAt(1))
    expect(after).toMatchObject({ origin, etag: etagAt(1) })
    expect(after && currentNames(after)).toEqual(new Set(['x']))
    expect(snapshotOf(entity)).toBe(after)
  })

  it('lets an object know nothing when the write in doubt is of an unknown row', () => {
    const entity = {}
    afterUncertain(merging(entity, '"x":2'))
    expect(snapshotOf(entity)).toBeUndefined()
  })

  it.each(elsewhere)('is applied to nothing that the object knows of a row of %s', (_, other) => {
    const entity = known()
    afterUncertain(merging(entity, '"z":2', other))
    expect(snapshotOf(entity)).toBe(base)
    const write = merging(entity, '"z":2', { onto: etagAt(0), ...other })
    const after = afterApplied(write, etagAt(1))
    expect(after?.row.text).toMatch(/^\{"PartitionKey":"[^{}]*,"z":2\}$/)
    expect(after).toMatchObject({
      origin: other.origin ?? origin,
      etag: etagAt(1),
      partial: false,
      current: 'row',
    })
  })
})

describe('pendingSnapshot', () => {
  it('is what the object knows while no write is pending', () => {
    expect(pendingSnapshot(known(), origin, key)).toBe(base)
    expect(pendingSnapshot({}, origin, key)).toBeUndefined()
  })

  it.each([
    ['another table', { ...origin, table: 'orders' }, key],
    ['another row', origin, { ...key, rowKey: 'c' }],
  ])('is nothing for %s', (_, where, which) => {
    expect(pendingSnapshot(known(), where, which)).toBeUndefined()
  })

  it('leaves in doubt what the pending writes send, as long as they are pending', () => {
    const entity = known()
    const one = takeTurn(merging(entity, '"x":2'))
    expect(plain(pendingSnapshot(entity, origin, key))).toEqual(
      plain({ ...base, doubtful: new Set(['x']) }),
    )
    const two = takeTurn(merging(entity, '"y":2'))
    expect(pendingSnapshot(entity, origin, key)?.doubtful).toEqual(new Set(['x', 'y']))
    one.end()
    expect(pendingSnapshot(entity, origin, key)?.doubtful).toEqual(new Set(['y']))
    two.end()
    expect(pendingSnapshot(entity, origin, key)).toBe(base)
  })

  it('does not doubt for writes of other rows', () => {
    const entity = known()
    takeTurn(merging(entity, '"x":2', { origin: { ...origin, table: 'orders' } }))
    expect(pendingSnapshot(entity, origin, key)).toBe(base)
  })

  it('may be deleted while a delete is pending', () => {
    const entity = known()
    const turn = takeTurn(merging(entity, '"x":2', { row: undefined, whole: true }))
    expect(plain(pendingSnapshot(entity, origin, key))).toEqual(plain({ ...base, exists: 'maybe' }))
    turn.end()
    expect(pendingSnapshot(entity, origin, key)).toBe(base)
  })
})

describe('pendingWrite', () => {
  it.each(elsewhere)('is the last one to the row, and not one to a row of %s', (_, other) => {
    const entity = known()
    expect(pendingWrite(entity, origin, key)).toBeUndefined()
    const [one, two] = [merging(entity, '"x":2'), merging(entity, '"x":3', other)]
    const turns = [one, two].map(takeTurn)
    expect(pendingWrite(entity, origin, key)).toBe(one)
    for (const turn of turns) turn.end()
    expect(pendingWrite(entity, origin, key)).toBeUndefined()
  })

  it('leaves out a write that was made before a reload, whose values the object no longer shows', () => {
    const entity = known()
    takeTurn(merging(entity, '"x":2'))
    keepReloaded(entity, { ...base, etag: etagAt(3) })
    expect(pendingWrite(entity, origin, key)).toBeUndefined()
  })
})

describe('a reload', () => {
  const reloaded: Snapshot = { ...base, row: Row.read({ ...raw, x: 9 }), etag: etagAt(3) }

  it('is all that the object knows after a write that was made before it', () => {
    const entity = known()
    const write = merging(entity, '"x":2', { onto: etagAt(0) })
    keepReloaded(entity, reloaded)
    expect(afterApplied(write, etagAt(6))).toBe(reloaded)
    expect(snapshotOf(entity)).toBe(reloaded)
    // A later write that was made before the reload, too, follows this one.
    expect(plain(snapshotAfter(write))).toEqual({ ...base, row: { ...raw, x: 2 }, etag: etagAt(6) })
  })

  it('keeps in doubt what a write in doubt sent that was made before it', () => {
    const entity = known()
    const write = merging(entity, '"x":2')
    keepReloaded(entity, reloaded)
    afterUncertain(write)
    expect(plain(snapshotOf(entity))).toEqual(plain({ ...reloaded, doubtful: new Set(['x']) }))
  })

  it('may be of a row that is gone after a delete that was made before it', () => {
    const entity = known()
    const write = merging(entity, '', { row: undefined, whole: true, onto: etagAt(0) })
    keepReloaded(entity, reloaded)
    expect(plain(afterApplied(write, undefined))).toEqual(plain({ ...reloaded, exists: 'maybe' }))
  })
})

describe('a write in doubt', () => {
  it('lets the next merge send only what that write had sent', async () => {
    const { account, lose } = losingAccount()
    const table = account.table(Player)
    await table.create()
    const mine = await table.insert(jeff({ points: 1, clan: 'Rooks' }))
    const rival = await table.get([...at])
    lose(true)
    mine.points = 2
    await expect(table.merge(mine, { etag: '*' })).rejects.toThrow()
    lose(false)
    rival.clan = 'Knights'
    await table.merge(rival, { etag: '*' })
    await table.merge(mine, { etag: '*' })
    expect(await table.get([...at])).toMatchObject({ points: 2, clan: 'Knights' })
  })

  it('lets overlapping merges past others leave alone what they did not send', async () => {
    const { table, rows } = await players()
    const mine = await table.insert(jeff({ points: 1, clan: 'Rooks' }))
    mine.points = 2
    const first = table.merge(mine, { etag: '*' })
    mine.motto = 'go'
    const second = table.merge(mine, { etag: '*' })
    await Promise.all([first, second])
    await rows.merge((await rows.get([...at])).set('clan', 'Knights'))
    mine.points = 3
    await table.merge(mine, { etag: '*' })
    expect(await table.get([...at])).toMatchObject({ points: 3, clan: 'Knights', motto: 'go' })
  })
})

describe('what an attack on the snapshot found', () => {
  it('a property that a lost write may have stored cannot be removed by a merge', async () => {
    const { account, lose } = losingAccount()
    const [table, rows] = [account.table(Player), account.table('players')]
    await table.create()
    const mine = await table.insert(jeff({ points: 1 }))
    const row = await rows.get([...at])
    lose(true)
    mine.clan = 'Rooks'
    await expect(table.merge(mine, { etag: '*' })).rejects.toThrow()
    await expect(rows.merge(row.set('z', 1), { etag: '*' })).rejects.toThrow()
    lose(false)
    Reflect.deleteProperty(mine, 'clan')
    row.delete('z')
    await expect(table.merge(mine, { etag: '*' })).rejects.toThrow(/clan.*cannot remove/)
    await expect(rows.merge(row, { etag: '*' })).rejects.toThrow(/'z'.*cannot remove/)
  })
})
