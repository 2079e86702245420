import { Account, type Table } from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import {
  type HttpResponse,
  noRetry,
  type Transport,
  TransportError,
  tableService,
} from '@rowkey/rest'
import { assert, describe, expect, it, vi } from 'vitest'
import { afterApplied, afterUncertain } from '../../../packages/mapper/src/snapshot/after-write.ts'
import {
  currentNames,
  keepSnapshot,
  type Snapshot,
  snapshotOf,
} from '../../../packages/mapper/src/snapshot/snapshot.ts'
import {
  keepReloaded,
  type ObjectWrite,
  pendingSnapshot,
  reloadsOf,
  WriteInFlight,
} from '../../../packages/mapper/src/snapshot/writes-in-flight.ts'
import { Customer, customer } from '../customer.ts'

const etagAt = (second: number) => `W/"datetime'2026-11-20T12%3A00%3A0${second}.1234567Z'"`

const origin = { account: 'contoso', table: 'people' }
const key = { partitionKey: 'a', rowKey: 'b' }
const raw = { PartitionKey: 'a', RowKey: 'b', x: 1, y: 1 }
const base: Snapshot = { origin, row: raw, etag: etagAt(0), partial: false }

/** An object that knows its row. */
function known(snapshot: Snapshot = base): object {
  const entity = {}
  keepSnapshot(entity, snapshot)
  return entity
}

const elsewhere: [string, Partial<ObjectWrite>][] = [
  ['another account', { origin: { ...origin, account: 'fabrikam' } }],
  ['another table', { origin: { ...origin, table: 'orders' } }],
  ['another PartitionKey', { key: { ...key, partitionKey: 'c' } }],
  ['another RowKey', { key: { ...key, rowKey: 'c' } }],
]

/** Begins a merge of an object. */
function merging(entity: object, members: string, rest: Partial<ObjectWrite> = {}): WriteInFlight {
  const { partitionKey, rowKey } = rest.key ?? key
  const body = `{"PartitionKey":"${partitionKey}","RowKey":"${rowKey}",${members}}`
  return new WriteInFlight({
    entity,
    origin,
    key,
    body,
    whole: false,
    onto: undefined,
    reloads: reloadsOf(entity),
    ...rest,
  })
}

describe('one write in flight', () => {
  it('changes what the object knows when it was applied', () => {
    const entity = known()
    const write = merging(entity, '"x":2', { onto: etagAt(0) })
    expect(snapshotOf(entity)).toBe(base)
    const after = afterApplied(write, etagAt(1))
    expect(after).toEqual({ ...base, row: { ...raw, x: 2 }, etag: etagAt(1) })
    expect(snapshotOf(entity)).toBe(after)
  })

  it('leaves what it sent in doubt when it may have been applied', () => {
    const entity = known()
    afterUncertain(merging(entity, '"x":2'))
    expect(snapshotOf(entity)).toEqual({ ...base, doubtful: new Set(['x']) })
  })

  it('changes nothing when it was not applied', () => {
    const entity = known()
    merging(entity, '"x":2').end()
    expect(snapshotOf(entity)).toBe(base)
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
    expect(afterApplied(write, etagAt(1))).toEqual({
      origin: other.origin ?? origin,
      row: expect.stringMatching(/^\{"PartitionKey":"[^{}]*,"z":2\}$/),
      etag: etagAt(1),
      partial: false,
      current: 'row',
    })
  })

  it('leaves nothing behind for later writes', () => {
    const entity = known()
    afterApplied(merging(entity, '"x":2'), 'W/"1"')
    afterUncertain(merging(entity, '"x":2'))
    merging(entity, '"x":2').end()
    // Overlapping writes without Timestamps would leave no ETag.
    afterApplied(merging(entity, '"x":3'), 'W/"2"')
    expect(snapshotOf(entity)).toMatchObject({ etag: 'W/"2"', row: { x: 3 } })
  })
})

describe('several writes in flight', () => {
  it('count in the order of their Timestamps', () => {
    for (const isFirstLast of [true, false]) {
      const entity = known()
      const [one, two] = [merging(entity, '"x":2'), merging(entity, '"x":3,"y":3')]
      if (isFirstLast) afterApplied(two, etagAt(2))
      afterApplied(one, etagAt(1))
      if (!isFirstLast) afterApplied(two, etagAt(2))
      expect(snapshotOf(entity)).toEqual({
        ...base,
        row: { ...raw, x: 3, y: 3 },
        etag: etagAt(2),
        current: new Set(['x', 'y']),
      })
    }
  })

  it('count from what was known when the second began', () => {
    const entity = known()
    const one = merging(entity, '"x":2', { onto: etagAt(0) })
    const two = merging(entity, '"y":2', { onto: etagAt(1) })
    afterApplied(one, etagAt(1))
    expect(snapshotOf(entity)).toMatchObject({ etag: etagAt(1), row: { x: 2, y: 1 } })
    const three = merging(entity, '"z":2', { onto: etagAt(2) })
    afterApplied(three, etagAt(3))
    afterApplied(two, etagAt(2))
    expect(snapshotOf(entity)).toEqual({
      ...base,
      row: { ...raw, x: 2, y: 2, z: 2 },
      etag: etagAt(3),
    })
  })

  it('change nothing when they were not applied', () => {
    const entity = known()
    const [one, two, three] = [
      merging(entity, '"x":2'),
      merging(entity, '"x":3'),
      merging(entity, '"x":4'),
    ]
    two.end()
    expect(snapshotOf(entity)).toBe(base)
    afterApplied(one, etagAt(1))
    three.end()
    expect(snapshotOf(entity)).toMatchObject({ row: { x: 2 }, etag: etagAt(1) })
    expect(snapshotOf(entity)?.doubtful).toBeUndefined()
  })

  it('leave in doubt what one of them may have changed, whichever ends first', () => {
    for (const isLostFirst of [true, false]) {
      const entity = known()
      const [one, two] = [merging(entity, '"x":2,"y":2'), merging(entity, '"y":3')]
      if (isLostFirst) afterUncertain(one)
      afterApplied(two, etagAt(1))
      if (!isLostFirst) afterUncertain(one)
      expect(snapshotOf(entity)).toMatchObject({
        etag: etagAt(1),
        row: { y: 3 },
        current: new Set(['y']),
        doubtful: new Set(['x', 'y']),
      })
    }
  })

  it.each(elsewhere)('do not mix with those of a row of %s', (_, other) => {
    const entity = known()
    const [here, there, again] = [
      merging(entity, '"x":2'),
      merging(entity, '"y":2', other),
      merging(entity, '"z":2', other),
    ]
    afterApplied(there, 'W/"1"')
    afterApplied(here, etagAt(1))
    const hereNow = { ...base, row: { ...raw, x: 2 }, etag: etagAt(1), current: new Set(['x']) }
    expect(snapshotOf(entity)).toEqual(hereNow)
    // A write in doubt does not make the object one of another row.
    afterUncertain(again)
    expect(snapshotOf(entity)).toEqual(hereNow)
  })

  it('leave no trace that a later write overlaps with', () => {
    const entity = known()
    for (const write of [merging(entity, '"x":2'), merging(entity, '"x":3')])
      afterApplied(write, 'W/"1"')
    expect(snapshotOf(entity)?.etag).toBeUndefined()
    afterApplied(merging(entity, '"x":4'), 'W/"2"')
    expect(snapshotOf(entity)).toMatchObject({
      etag: 'W/"2"',
      row: { x: 4 },
      current: new Set(['x']),
    })
    expect(snapshotOf(entity)?.doubtful).toBeUndefined()
  })

  it('of several objects do not mix', () => {
    const [one, other] = [known(), known()]
    const writes = [merging(one, '"x":2'), merging(other, '"x":3')]
    for (const write of writes) afterApplied(write, 'W/"1"')
    expect([one, other].map((entity) => snapshotOf(entity)?.etag)).toEqual(['W/"1"', 'W/"1"'])
  })
})

describe('pendingSnapshot', () => {
  it('is what the object knows while no write is in flight', () => {
    expect(pendingSnapshot(known(), origin, key)).toBe(base)
    expect(pendingSnapshot({}, origin, key)).toBeUndefined()
  })

  it.each([
    ['account', { ...origin, account: 'fabrikam' }, key],
    ['table', { ...origin, table: 'orders' }, key],
    ['key', origin, { ...key, rowKey: 'c' }],
  ])('is empty for a row with another %s', (_, where, which) => {
    expect(pendingSnapshot(known(), where, which)).toBeUndefined()
  })

  it('leaves in doubt what the writes in flight have sent, as long as they are', () => {
    const entity = known()
    const one = merging(entity, '"x":2')
    expect(pendingSnapshot(entity, origin, key)).toEqual({ ...base, doubtful: new Set(['x']) })
    const two = merging(entity, '"y":2')
    expect(pendingSnapshot(entity, origin, key)?.doubtful).toEqual(new Set(['x', 'y']))
    expect(snapshotOf(entity)).toBe(base)
    one.end()
    expect(pendingSnapshot(entity, origin, key)?.doubtful).toEqual(new Set(['y']))
    two.end()
    expect(pendingSnapshot(entity, origin, key)).toBe(base)
  })

  it('does not doubt for writes of other rows', () => {
    const entity = known()
    const writes = elsewhere.map(([, other]) => merging(entity, '"x":2', other))
    expect(pendingSnapshot(entity, origin, key)).toBe(base)
    for (const write of writes) write.end()
  })

  it('may be deleted while a delete is in flight', () => {
    const entity = known()
    const gone = merging(entity, '', { body: undefined, whole: true })
    expect(pendingSnapshot(entity, origin, key)).toEqual({ ...base, maybeDeleted: true })
    gone.end()
    expect(pendingSnapshot(entity, origin, key)).toBe(base)
  })
})

describe('a reload', () => {
  const reloaded: Snapshot = { ...base, row: { ...raw, x: 7 }, etag: etagAt(5) }

  it('is what the object knows', () => {
    const entity = known({ ...base, current: new Set(), doubtful: new Set(['x']) })
    keepReloaded(entity, reloaded)
    expect(snapshotOf(entity)).toBe(reloaded)
  })

  it.each([1, 2])('hides what %i writes did before it, although they end later', (count) => {
    const entity = known()
    const writes = Array.from({ length: count }, () => merging(entity, '"x":2'))
    keepReloaded(entity, reloaded)
    for (const write of writes) afterApplied(write, etagAt(4))
    expect(snapshotOf(entity)).toBe(reloaded)
  })

  it.each([1, 2])('is all that is known after %i writes that the service did later', (count) => {
    const entity = known()
    const writes = Array.from({ length: count }, (_, at) => merging(entity, `"x":7,"z":${at}`))
    keepReloaded(entity, reloaded)
    writes.forEach((write, at) => {
      expect(afterApplied(write, etagAt(6 + at))).toBe(reloaded)
    })
    expect(snapshotOf(entity)).toBe(reloaded)
  })

  it('may be of a row that is gone after a delete that began before it', () => {
    const entity = known()
    const write = merging(entity, '"x":2', { body: undefined, whole: true })
    keepReloaded(entity, reloaded)
    expect(afterApplied(write, undefined)).toEqual({ ...reloaded, maybeDeleted: true })
  })

  it('is all that is known after a write that was made before it and sent after it', () => {
    const entity = known()
    const reloads = reloadsOf(entity)
    keepReloaded(entity, reloaded)
    const applied = merging(entity, '"x":2', { onto: etagAt(5), reloads })
    expect(afterApplied(applied, etagAt(6))).toBe(reloaded)
    afterUncertain(merging(entity, '"x":2', { reloads }))
    expect(snapshotOf(entity)).toEqual({ ...reloaded, doubtful: new Set(['x']) })
  })

  it('counts for writes that begin after it', () => {
    const entity = known()
    const early = merging(entity, '"x":2')
    keepReloaded(entity, reloaded)
    const late = merging(entity, '"x":3')
    afterApplied(early, etagAt(6))
    afterApplied(late, etagAt(7))
    expect(snapshotOf(entity)).toMatchObject({ row: { x: 3, y: 1 }, etag: etagAt(7) })
  })

  it('of another row counts more than a write that began before it', () => {
    const entity = {}
    const write = merging(entity, '"x":2')
    const other = { ...reloaded, row: { ...raw, RowKey: 'c' } }
    keepReloaded(entity, other)
    expect(afterApplied(write, etagAt(6))).toBe(other)
    expect(snapshotOf(entity)).toBe(other)
  })

  it('hides writes that ended before it, and keeps in doubt those that end in doubt later', () => {
    const entity = known()
    const [one, two, three] = [
      merging(entity, '"x":2'),
      merging(entity, '"y":2'),
      merging(entity, '"z":2'),
    ]
    afterApplied(one, etagAt(1))
    afterUncertain(two)
    keepReloaded(entity, reloaded)
    afterUncertain(three)
    expect(snapshotOf(entity)).toEqual({ ...reloaded, doubtful: new Set(['z']) })
  })
})

/** The responses to requests, in the order of the requests; the test says when each arrives. */
interface Responses {
  readonly bodies: string[]
  stored(request: number, etag: string): Promise<void>
  refused(request: number): Promise<void>
  lost(request: number): Promise<void>
}

/** A request that has no response yet. */
interface Waiting {
  resolve(response: HttpResponse): void
  reject(error: unknown): void
}

/** Lets the objects know of the responses; no clock is involved. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

function respondedByHand(): { account: Account; responses: Responses } {
  const waiting: Waiting[] = []
  const bodies: string[] = []
  const transport: Transport = ({ body }) => {
    bodies.push(String(body))
    return new Promise((resolve, reject) => waiting.push({ resolve, reject }))
  }
  /** The code that sends is loaded with the first write, so a request may need many turns. */
  const at = async (request: number): Promise<Waiting> => {
    for (let turn = 0; turn < 100_000 && waiting[request] === undefined; turn++) await settled()
    return waiting[request] ?? assert.fail(`request ${request} was not sent`)
  }
  const connectionString = 'AccountName=contoso;AccountKey=c2VjcmV0'
  const service = tableService({ connectionString, transport, retry: noRetry })
  const failed = '{"odata.error":{"code":"UpdateConditionNotSatisfied"}}'
  return {
    account: new Account(service),
    responses: {
      bodies,
      async stored(request, etag) {
        const waiting = await at(request)
        waiting.resolve({ status: 204, headers: { etag }, body: '' })
        await settled()
      },
      async refused(request) {
        const waiting = await at(request)
        waiting.resolve({ status: 412, headers: {}, body: failed })
        await settled()
      },
      async lost(request) {
        const error = new TransportError({ message: 'lost', mayHaveApplied: true })
        const waiting = await at(request)
        waiting.reject(error)
        await settled()
      },
    },
  }
}

/** One object, of a class or of none, with two numbers. */
interface Row {
  etag?: string
}

interface Kind {
  readonly table: Table<object>
  readonly responses: Responses
  readonly row: Row
  set(name: 'age' | 'rating', value: number): void
}

const kinds = {
  'a mapped class': async (): Promise<Kind> => {
    const { account, responses } = respondedByHand()
    const table = account.table(Customer)
    const row = customer('Smith', 'Jeff', { age: 1, rating: 1.5 })
    const set: Kind['set'] = (name, value) => void Object.assign(row, { [name]: value })
    return { table, responses, row, set }
  },
  'a dynamic entity': async (): Promise<Kind> => {
    const { account, responses } = respondedByHand()
    const table = account.table('people')
    const row = new DynamicEntity('Smith', 'Jeff', { age: 1, rating: 1.5 })
    return { table, responses, row, set: (name, value) => void row.set(name, value) }
  },
} as const

/** An object that is stored as it is, and known to be. */
async function storedRow(make: () => Promise<Kind>): Promise<Kind> {
  const kind = await make()
  const inserted = kind.table.insert(kind.row)
  await kind.responses.stored(0, etagAt(0))
  await inserted
  return kind
}

/** The properties that were sent last. */
async function sentBy({ responses }: Kind): Promise<unknown> {
  await settled()
  const body: Record<string, unknown> = JSON.parse(responses.bodies.at(-1) ?? '{}')
  const isValue = ([name]: [string, unknown]) => name === 'age' || name === 'rating'
  return Object.fromEntries(Object.entries(body).filter(isValue))
}

describe.each(Object.entries(kinds))('overlapping writes of %s', (_, make) => {
  const ways = ['merge', 'replace', 'insertOrMerge', 'insertOrReplace'] as const

  /** Two writes, with ages 2 and 3, and the turns in which they are stored and answered. */
  async function written(how: (typeof ways)[number], turns: Turns): Promise<Kind> {
    const kind = await storedRow(make)
    const { table, responses, row, set } = kind
    const options = how === 'merge' || how === 'replace' ? { etag: '*' } : {}
    set('age', 2)
    const one = table[how](row, options)
    set('age', 3)
    const two = table[how](row, options)
    for (const request of turns.answered) {
      await responses.stored(request, etagAt(1 + turns.stored.indexOf(request)))
    }
    await Promise.all([one, two])
    return kind
  }

  interface Turns {
    readonly stored: readonly number[]
    readonly answered: readonly number[]
  }

  describe.each(ways)('by %s', (how) => {
    it.each([[[1, 2]], [[2, 1]]])(
      'leave the object with what was stored last, with the responses in the order %j',
      async (answered) => {
        const kind = await written(how, { stored: [1, 2], answered })
        const { table, responses, row } = kind
        expect(row.etag).toBe(etagAt(2))
        expect(await table.merge(row)).toBe(row)
        expect(responses.bodies).toHaveLength(3)
      },
    )

    it.each([[[1, 2]], [[2, 1]]])(
      'send again what the first overwrote, with the responses in the order %j',
      async (answered) => {
        const kind = await written(how, { stored: [2, 1], answered })
        expect(kind.row.etag).toBe(etagAt(2))
        void kind.table.merge(kind.row)
        expect(await sentBy(kind)).toEqual({ age: 3 })
      },
    )
  })

  it('are in doubt for a merge that is made meanwhile, which sends what they sent', async () => {
    const kind = await storedRow(make)
    const { table, responses, row, set } = kind
    set('age', 2)
    void table.merge(row, { etag: '*' })
    set('age', 1)
    set('rating', 2.5)
    void table.merge(row, { etag: '*' })
    expect(await sentBy(kind)).toEqual({ age: 1, rating: 2.5 })
    await responses.stored(2, etagAt(2))
    void table.merge(row, { etag: '*' })
    expect(await sentBy(kind)).toEqual({ age: 1 })
  })

  it('leave no ETag when no ETag shows the time of its write', async () => {
    const { table, responses, row, set } = await storedRow(make)
    set('age', 2)
    const writes = [table.insertOrMerge(row), table.insertOrMerge(row)]
    await responses.stored(2, 'W/"b"')
    await responses.stored(1, 'W/"a"')
    await Promise.all(writes)
    expect(row.etag).toBeUndefined()
    await expect(table.merge(row)).rejects.toThrow(expect.objectContaining({ code: 'MissingETag' }))
  })

  it('count only when they were applied', async () => {
    const kind = await storedRow(make)
    const { table, responses, row, set } = kind
    set('age', 2)
    const refused = table.merge(row)
    set('rating', 2.5)
    const stored = table.replace(row)
    const refusal = expect(refused).rejects.toThrow('412')
    await responses.refused(1)
    await refusal
    await responses.stored(2, etagAt(2))
    await stored
    expect(row.etag).toBe(etagAt(2))
    expect(await table.merge(row)).toBe(row)
    expect(responses.bodies).toHaveLength(3)
  })

  it('leave in doubt what one of them sent whose response was lost', async () => {
    const kind = await storedRow(make)
    const { table, responses, row, set } = kind
    set('age', 2)
    const lost = table.merge(row, { etag: '*' })
    set('rating', 2.5)
    const stored = table.merge(row, { etag: '*' })
    expect(await sentBy(kind)).toEqual({ age: 2, rating: 2.5 })
    const loss = expect(lost).rejects.toMatchObject({ mayHaveApplied: true })
    await responses.lost(1)
    await loss
    await responses.stored(2, etagAt(2))
    await stored
    expect(row.etag).toBe(etagAt(2))
    void table.merge(row)
    expect(await sentBy(kind)).toEqual({ age: 2 })
  })

  it('do not doubt each other when one ends before the next begins', async () => {
    const kind = await storedRow(make)
    const { table, responses, row, set } = kind
    for (const turn of [1, 2]) {
      set('age', turn + 1)
      const write = table.merge(row)
      await responses.stored(turn, etagAt(turn))
      await write
      expect(await sentBy(kind)).toEqual({ age: turn + 1 })
    }
    expect(row.etag).toBe(etagAt(2))
  })

  it('include those of batches', async () => {
    const kind = await storedRow(make)
    const { table, responses, row, set } = kind
    set('age', 2)
    const lost = table.batch().merge(row, { etag: '*' }).submit()
    // The first transaction loads its code.
    await vi.waitUntil(() => responses.bodies.length === 2)
    set('age', 1)
    void table.merge(row, { etag: '*' })
    expect(await sentBy(kind)).toEqual({ age: 1 })
    const loss = expect(lost).rejects.toMatchObject({ mayHaveApplied: true })
    await responses.lost(1)
    await loss
  })
})

describe.each(Object.entries(kinds))('a delete of %s', (_, make) => {
  it.each(['lost', 'stored'] as const)(
    'whose response is %s lets the next merge ask the service, with the same ETag',
    async (end) => {
      const kind = await storedRow(make)
      const { table, responses, row } = kind
      const gone = table.delete(row).catch((error: unknown) => error)
      await (end === 'lost' ? responses.lost(1) : responses.stored(1, etagAt(1)))
      if (end === 'lost') expect(await gone).toMatchObject({ mayHaveApplied: true })
      else expect(await gone).toBeUndefined()
      expect(row.etag).toBe(etagAt(0))
      void table.merge(row)
      await settled()
      expect(responses.bodies).toHaveLength(3)
    },
  )

  it('that was refused changes nothing', async () => {
    const { table, responses, row } = await storedRow(make)
    const kept = table.delete(row)
    const refusal = expect(kept).rejects.toThrow('412')
    await responses.refused(1)
    await refusal
    expect(await table.merge(row)).toBe(row)
    expect([responses.bodies.length, row.etag]).toEqual([2, etagAt(0)])
  })
})

describe.each(Object.entries(kinds))('a replace of %s after overlapping merges', (_, make) => {
  /** Two merges; the second has the options, and is stored or not. */
  async function merged(options: { etag?: string }, ends: 'stored' | 'refused') {
    const kind = await storedRow(make)
    const { table, responses, row, set } = kind
    set('age', 2)
    const one = table.merge(row)
    set('age', 3)
    const two = table.merge(row, options).catch(() => row)
    await responses.stored(1, etagAt(1))
    await (ends === 'stored' ? responses.stored(2, etagAt(2)) : responses.refused(2))
    await Promise.all([one, two])
    return kind
  }

  it('is rejected when one of them went past what others stored', async () => {
    const { table, row } = await merged({ etag: '*' }, 'stored')
    await expect(table.replace(row)).rejects.toThrow(
      expect.objectContaining({ name: 'InputError', code: 'ProjectedEntity' }),
    )
  })

  it('is sent when the one that was stored had the ETag of what was known', async () => {
    const kind = await merged({}, 'refused')
    void kind.table.replace(kind.row)
    expect(await sentBy(kind)).toEqual({ age: 3, rating: 1.5 })
  })
})
