import { localTableService } from '@rowkey/local'
import { Account, defineEntity, key } from '@rowkey/mapper'
import {
  chunkStore,
  declareOutbox,
  type ManyWritesOptions,
  tableQueue,
  wideEntity,
} from '@rowkey/patterns'
import {
  type HttpRequest,
  type LocationMode,
  noRetry,
  type RetryPolicy,
  type TableService,
  type Transport,
  tableService,
} from '@rowkey/rest'
import { z } from 'zod'
import { announcedTo } from './announcing.ts'
import {
  collected,
  copied,
  defineEmployee,
  eventual,
  indexed,
  named,
  one,
  outside,
  type Place,
  queued,
  sales,
  schema,
  summed,
  two,
  withLogins,
} from './prepared.ts'

/** Times and ids, which are others after a repetition. */
const CHANGING = /(?:id)?\d{10,}|\d{4}-\d\d-\d\dT[\d:.]+Z/g

/** How the account of the first program is opened. */
export interface Opening {
  /** Makes its service, over its own. */
  readonly seen?: (service: TableService) => TableService
  readonly locationMode?: LocationMode
  readonly retry?: RetryPolicy
}

/** The accounts of two programs, and the requests of the first one. Both have one clock, which moves by sleeping only. */
export function counting({ seen = (service) => service, ...options }: Opening = {}) {
  const network = { now: Date.UTC(2026, 10, 27), takes: 0, onResponse: (): void => {} }
  const now = () => network.now
  let ids = 0
  const newId = () => `id${String(++ids).padStart(10, '0')}`
  const local = localTableService({ now, newId })
  const sent: HttpRequest[] = []
  const open = (transport: Transport) =>
    tableService({
      connectionString: local.connectionString(),
      transport,
      retry: noRetry,
      ...options,
      now,
      newId,
      random: () => 0.5,
      sleep: async (ms) => {
        network.now += ms
      },
    })
  const own = open(async (request, limits) => {
    sent.push(request)
    network.now += network.takes
    const response = await local.transport(request, limits)
    network.onResponse()
    return response
  })
  const other = new Account(open(local.transport))
  return {
    account: new Account(seen(own)),
    other,
    network,
    /** The requests of the first program, in the call that ran last. */
    sent,
    faults: local.faults,
    /** Runs a call, and returns its requests, its result and its error. */
    async endOf(run: () => Promise<unknown>) {
      sent.length = 0
      const [result, error] = await run().then(
        (value) => [value, undefined],
        (reason: unknown) => [undefined, reason],
      )
      return { requests: sent.length, result, error }
    },
    /** Reads all rows of all tables. Numbers that a repetition changes are left out. */
    async rows(): Promise<readonly string[]> {
      const rows: string[] = []
      for await (const table of other.tables()) {
        for await (const row of other.table(table).query().allowTableScan()) {
          const {
            Timestamp: _,
            'odata.etag': __,
            ...stored
          } = row.toJSON() as Record<string, unknown>
          rows.push(`${table} ${JSON.stringify(stored)}`.replaceAll(CHANGING, '#'))
        }
      }
      return rows
    },
  }
}

/** Prepares a call. */
export type Begin = (place: Place) => Promise<(options: ManyWritesOptions) => Promise<unknown>>

type Calls = Readonly<Record<string, Begin>>

/** The calls whose reads ignore a key, or whose one write has it. */
export const keyed: Calls = {
  'HolderTable.state': async (place) => {
    const copies = await copied(place)
    return (options) => copies.state(options)
  },
  'IndexedTable.copies': async (place) => {
    const { here, there } = await indexed(place)
    await there.build()
    return (options) => here.copies('lastName', options)
  },
  'IndexedTable.find': async (place) => {
    const { here, there } = await indexed(place)
    await there.build()
    return (options) => here.find('id', { ...sales, id: '1' }, options)
  },
  'IndexedTable.query': async (place) => {
    const { here, there } = await indexed(place)
    await there.build()
    return (options) => here.query('lastName', named).toArray(options)
  },
  'IndexedTable.state': async (place) => {
    const { here } = await indexed(place)
    return (options) => here.state('lastName', options)
  },
  'LargeValueTable.load': async (place) => {
    const { here, entity } = await outside(place)
    await here.save(entity, new Uint8Array(1))
    return (options) => here.load(entity, options)
  },
  'LargeValueTable.save': async (place) => {
    const { here, entity } = await outside(place)
    return (options) => here.save(entity, new Uint8Array(1), options)
  },
  'PeriodTableSet.insert': async (place) => {
    const here = await withLogins(place)
    const at = new Date('2026-11-22T09:00:00Z')
    return (options) => here.insert({ user: 'jones', at }, options)
  },
  'PeriodTableSet.page': async (place) => {
    const here = await withLogins(place)
    const span = { from: new Date('2026-11-01'), until: new Date('2026-12-01') }
    return (options) => here.page(span, { size: 5 }, undefined, options)
  },
  'PeriodTableSet.periods': async (place) => {
    const here = await withLogins(place)
    return async (options) => (await collected(here.periods(options))).map(({ name }) => name)
  },
  'PeriodTableSet.query': async (place) => {
    const here = await withLogins(place)
    const span = { from: new Date('2026-11-01'), until: new Date('2026-12-01') }
    return (options) => collected(here.query(span, undefined, options))
  },
  'PeriodTableSet.write': async (place) => {
    const here = await withLogins(place)
    const at = new Date('2026-11-22T09:00:00Z')
    const login = { user: 'jones', at }
    return (options) => here.write(at, (table, call) => table.insertOrReplace(login, call), options)
  },
  'SummaryTable.get': async (place) => {
    const { here, there } = await summed(place)
    await there.build()
    return (options) => here.get('all', sales, options)
  },
  'SummaryTable.query': async (place) => {
    const { here, there } = await summed(place)
    await there.build()
    return (options) => collected(here.query('all', sales, options))
  },
  'SummaryTable.state': async (place) => {
    const { here } = await summed(place)
    return (options) => here.state('all', options)
  },
  'WideTable.delete': async (place) => {
    const wide = await widened(place)
    const entity = await wide.get(one)
    return (options) => wide.delete(entity, options)
  },
  'WideTable.find': async (place) => {
    const wide = await widened(place)
    return (options) => wide.find(two, options)
  },
  'WideTable.get': async (place) => {
    const wide = await widened(place)
    return (options) => wide.get(one, options)
  },
  'WideTable.insert': async (place) => {
    const wide = await widened(place)
    return (options) => wide.insert({ ...two, note: 'x' }, options)
  },
  'WideTable.modify': async (place) => {
    const wide = await widened(place)
    const change = (entity: object) => void Object.assign(entity, { note: 'y' })
    return (options) => wide.modify(one, change, options)
  },
  'WideTable.query': async (place) => {
    const wide = await widened(place)
    return (options) => collected(wide.query(sales, options))
  },
  'WideTable.save': async (place) => {
    const wide = await widened(place)
    const entity = await wide.get(one)
    return (options) => wide.save(Object.assign(entity, { lastName: 'x', note: 'y' }), options)
  },
  'Worker.send': async (place) => {
    const jobs = await queued(place)
    return (options) => jobs.send('move', { ...sales, id: '1' }, 0, options)
  },
  'a query by an index': async (place) => {
    const { Employee, there } = await indexed(place)
    await there.build()
    const query = place.account.table(Employee).query().where(named)
    return (options) => query.toArray(options)
  },
  'a write that keeps index entries': async (place) => {
    const { Employee, there } = await indexed(place)
    await there.build()
    const staff = place.account.table(Employee)
    return (options) => staff.insertOrReplace({ ...one, lastName: 'Smith' }, options)
  },
  'a write with messages': async (place) => {
    const { Employee } = outboxOf()
    await place.other.table(Employee).create()
    return (options) => place.account.table(Employee).insert({ ...one }, options)
  },
  'delete of a queue': async (place) => {
    const { queue, message } = await filledQueue(place)
    return (options) => queue.delete(message, options)
  },
  'extend of a queue': async (place) => {
    const { queue, message } = await filledQueue(place)
    return (options) => queue.extend(message, 1_000, options)
  },
  'get of a chunk store': async (place) => {
    const { store } = await storing(place)
    return (options) => store.get('a', options)
  },
  'has of a chunk store': async (place) => {
    const { store } = await storing(place)
    return (options) => store.has('a', options)
  },
  'list of a chunk store': async (place) => {
    const { store } = await storing(place)
    return (options) => collected(store.list('', options))
  },
  'peek of a queue': async (place) => {
    const { queue } = await filledQueue(place)
    return (options) => queue.peek(2, options)
  },
  'receive of a queue': async (place) => {
    const { queue } = await filledQueue(place)
    return (options) => queue.receive({ count: 2, visibility: 1_000 }, options)
  },
}

/** The calls that may write several times, whose types have no key. */
export const keyless: Calls = {
  'HolderTable.build': async (place) => {
    const copies = await copied(place)
    return (options) => copies.build(options)
  },
  'HolderTable.drop': async (place) => {
    const copies = await copied(place)
    return (options) => copies.drop(undefined, options)
  },
  'HolderTable.fill': async (place) => {
    const copies = await copied(place)
    return (options) => copies.fill({ team: 'c', lead: '1' }, options)
  },
  'HolderTable.refresh': async (place) => {
    const copies = await copied(place)
    return (options) => copies.refresh({ team: 'a' }, options)
  },
  'HolderTable.repair': async (place) => {
    const copies = await copied(place)
    return (options) => copies.repair(options)
  },
  'HolderTable.verify': async (place) => {
    const copies = await copied(place)
    return (options) => copies.verify(options)
  },
  'IndexedTable.build': async (place) => {
    const { here } = await indexed(place)
    return (options) => here.build(options)
  },
  'IndexedTable.drain': async (place) => {
    const { Employee, here } = await eventual(place)
    await place.other.table(Employee).insertOrReplace({ ...one, lastName: 'Smith' })
    return (options) => here.drain(options)
  },
  'IndexedTable.drop': async (place) => {
    const { here, there } = await indexed(place)
    await there.build()
    return (options) => here.drop('lastName', options)
  },
  'IndexedTable.drop of entries in other partitions': async (place) => {
    const { here, indexes } = await eventual(place)
    await indexes.on(place.other).build()
    return (options) => here.drop('lastName', options)
  },
  'IndexedTable.refresh': async (place) => {
    const { here, indexes } = await eventual(place)
    await indexes.on(place.other).build()
    return (options) => here.refresh(one, options)
  },
  'IndexedTable.repair': async (place) => {
    const { here } = await indexed(place)
    return (options) => here.repair(options)
  },
  'IndexedTable.verify': async (place) => {
    const { here, there } = await indexed(place)
    await there.build()
    return (options) => here.verify(options)
  },
  'IndexedTable.verify of entries in other partitions': async (place) => {
    const { here, indexes } = await eventual(place)
    await indexes.on(place.other).build()
    return (options) => here.verify(options)
  },
  'LargeValueTable.sweep': async (place) => {
    const { here, entity } = await outside(place)
    await here.stage(entity, new Uint8Array(1))
    return (options) =>
      here.sweep(typeof options === 'object' && options ? { ...options, olderThan: 0 } : options)
  },
  'OutboxTable.deadLetters': async (place) => {
    const { outbox } = await posted(place)
    return (options) => outbox.deadLetters(sales, options)
  },
  'OutboxTable.drain': async (place) => {
    const { outbox } = await posted(place)
    return (options) => outbox.drain(options)
  },
  'OutboxTable.pending': async (place) => {
    const { outbox } = await posted(place)
    return (options) => outbox.pending(sales, options)
  },
  'OutboxTable.retryDead': async (place) => {
    const { outbox, partition } = await posted(place)
    const fail = () => Promise.reject(new Error('failed'))
    await outbox.deliver(partition, fail)
    return (options) => outbox.retryDead(sales, options)
  },
  'OutboxTable.send': async (place) => {
    const { outbox } = await posted(place)
    return (options) => outbox.send(sales, 'a', options)
  },
  'PeriodTableSet.dropBefore': async (place) => {
    const here = await withLogins(place)
    return (options) => here.dropBefore(new Date('2026-11-22'), options)
  },
  'SummaryTable.build': async (place) => {
    const { here } = await summed(place)
    return (options) => here.build(options)
  },
  'SummaryTable.drop': async (place) => {
    const { here } = await summed(place)
    return (options) => here.drop('all', options)
  },
  'SummaryTable.repair': async (place) => {
    const { here } = await summed(place)
    return (options) => here.repair(options)
  },
  'SummaryTable.verify': async (place) => {
    const { here, there } = await summed(place)
    await there.build()
    return (options) => here.verify(options)
  },
  'Worker.deadLetters': async (place) => {
    const jobs = await queued(place)
    return (options) => jobs.deadLetters(options)
  },
  'Worker.retryDead': async (place) => {
    const jobs = await queued(place)
    await tableQueue(place.other, 'dead', { table: 'queues' }).send('{"kind":"move","payload":1}')
    return (options) => jobs.retryDead(options)
  },
}

/** The calls that take no options. */
export const optionless: Calls = {
  'Worker.depth': async (place) => {
    const jobs = await queued(place)
    await jobs.send('move', { ...sales, id: '1' })
    return () => jobs.depth()
  },
  'Worker.runOnce': async (place) => {
    const jobs = await queued(place)
    await jobs.send('move', { ...sales, id: '1' })
    return () => jobs.runOnce()
  },
  'Worker.runOnce of a job that fails': async (place) => {
    const jobs = await queued(place)
    await jobs.send('move', { ...sales, id: 'none' })
    return () => jobs.runOnce()
  },
}

/** A call of every method of a pattern that sends: its name, what it needs, and how it passes options. */
export const calls: Calls = {
  ...keyed,
  ...keyless,
  'put of a chunk store': async (place) => {
    const { store } = await storing(place)
    return (options) => store.put('b', new Uint8Array(1_000_000), options)
  },
  'delete of a chunk store': async (place) => {
    const { store } = await storing(place)
    return (options) => store.delete('a', options)
  },
  'OutboxTable.deliver': async (place) => {
    const { outbox, partition } = await posted(place)
    return (options) => outbox.deliver(partition, async () => {}, { options })
  },
}

/** A queue with two messages, and the first of them as it was received. */
async function filledQueue({ account, other }: Place) {
  await other.createTable('queues')
  const queue = tableQueue(account, 'jobs', { table: 'queues' })
  for (const text of ['a', 'b']) await queue.send(text)
  const [message] = await queue.receive({ count: 1, visibility: 1_000 })
  if (message === undefined) throw new Error('Nothing was received.')
  return { queue, message }
}

/** A chunk store with one value. */
async function storing({ account, other }: Place) {
  await other.createTable('photos')
  await chunkStore(other, { table: 'photos' }).put('a', new Uint8Array(1_000_000))
  return { store: chunkStore(account, { table: 'photos' }) }
}

/** A table with one wide entity. */
async function widened({ account, other }: Place) {
  const Rest = defineEntity({
    name: 'staff',
    partitionKey: key`${'department'}`,
    rowKey: key`rest_${'id'}`,
    schema: schema.pick({ department: true, id: true }).extend({ note: z.string().optional() }),
  })
  const wide = wideEntity(defineEmployee(), Rest)
  await other.createTable('staff')
  await wide.on(other).insert({ ...one, note: 'old' })
  return wide.on(account)
}

function outboxOf() {
  const Employee = defineEmployee()
  const outbox = declareOutbox(Employee, {
    messages: ({ after }) => [after?.id ?? ''],
    ...announcedTo(),
    attempts: 1,
  })
  return { Employee, outbox }
}

/** An outbox with the messages of two employees. */
async function posted(place: Place) {
  const { Employee, outbox } = outboxOf()
  await place.other.table(Employee).create()
  for (const each of [one, two]) await place.other.table(Employee).insert({ ...each })
  return { outbox: outbox.on(place.account), partition: { table: 'staff', partitionKey: 'Sales' } }
}
