import { localTableService } from '@rowkey/local'
import { Account, defineEntity, key } from '@rowkey/mapper'
import {
  chunkStore,
  declareOutbox,
  type ManyWritesOptions,
  tableQueue,
  wideEntity,
} from '@rowkey/patterns'
import { noRetry, type TableService, type Transport, tableService } from '@rowkey/rest'
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
} from './drained-programs.ts'

/**
 * The accounts of two programs, and the requests of the first one.
 *
 * @param seen - makes the service of the first one, over its own
 */
export function counting(seen: (service: TableService) => TableService = (service) => service) {
  const { transport, connectionString } = localTableService()
  const network = { now: Date.UTC(2026, 10, 27), takes: 0, onResponse: (): void => {} }
  let requests = 0
  const open = (through: Transport) =>
    tableService({
      connectionString: connectionString(),
      transport: through,
      retry: noRetry,
      now: () => network.now,
      sleep: async (ms) => {
        network.now += ms
      },
    })
  const own = open(async (request, limits) => {
    requests++
    network.now += network.takes
    const response = await transport(request, limits)
    network.onResponse()
    return response
  })
  return {
    account: new Account(seen(own)),
    other: new Account(open(transport)),
    network,
    /** Runs a call, and returns its requests and its error. */
    async endOf(run: () => Promise<unknown>): Promise<readonly [requests: number, error: unknown]> {
      requests = 0
      const error = await run().then(
        () => undefined,
        (reason: unknown) => reason,
      )
      return [requests, error]
    },
  }
}

/** Prepares a call. */
type Begin = (place: Place) => Promise<(options: ManyWritesOptions) => Promise<unknown>>

/** A call of every method of a pattern that sends. */
export const calls: Readonly<Record<string, Begin>> = {
  'build of indexes': async (place) => {
    const { here } = await indexed(place)
    return (options) => here.build(options)
  },
  'verify of indexes': async (place) => {
    const { here, there } = await indexed(place)
    await there.build()
    return (options) => here.verify(options)
  },
  'repair of indexes': async (place) => {
    const { here } = await indexed(place)
    return (options) => here.repair(options)
  },
  'drop of an index': async (place) => {
    const { here, there } = await indexed(place)
    await there.build()
    return (options) => here.drop('lastName', options)
  },
  'state of an index': async (place) => {
    const { here } = await indexed(place)
    return (options) => here.state('lastName', options)
  },
  'find by an index': async (place) => {
    const { here, there } = await indexed(place)
    await there.build()
    return (options) => here.find('id', { ...sales, id: '1' }, options)
  },
  'copies of entries': async (place) => {
    const { here, there } = await indexed(place)
    await there.build()
    return (options) => here.copies('lastName', options)
  },
  'a query by an index': async (place) => {
    const { Employee, there } = await indexed(place)
    await there.build()
    const query = place.account.table(Employee).query().where(named)
    return (options) => query.toArray(options)
  },
  'a query of an index': async (place) => {
    const { here, there } = await indexed(place)
    await there.build()
    return (options) => here.query('lastName', named).toArray(options)
  },
  'verify of eventual indexes': async (place) => {
    const { here, indexes } = await eventual(place)
    await indexes.on(place.other).build()
    return (options) => here.verify(options)
  },
  'a write that keeps index entries': async (place) => {
    const { Employee, there } = await indexed(place)
    await there.build()
    const staff = place.account.table(Employee)
    return (options) => staff.insertOrReplace({ ...one, lastName: 'Smith' }, options)
  },
  'drop of an eventual index': async (place) => {
    const { here, indexes } = await eventual(place)
    await indexes.on(place.other).build()
    return (options) => here.drop('lastName', options)
  },
  'refresh of eventual indexes': async (place) => {
    const { here, indexes } = await eventual(place)
    await indexes.on(place.other).build()
    return (options) => here.refresh(one, options)
  },
  'drain of eventual indexes': async (place) => {
    const { Employee, here } = await eventual(place)
    await place.other.table(Employee).insertOrReplace({ ...one, lastName: 'Smith' })
    return (options) => here.drain(options)
  },
  'build of summaries': async (place) => {
    const { here } = await summed(place)
    return (options) => here.build(options)
  },
  'verify of summaries': async (place) => {
    const { here, there } = await summed(place)
    await there.build()
    return (options) => here.verify(options)
  },
  'repair of summaries': async (place) => {
    const { here } = await summed(place)
    return (options) => here.repair(options)
  },
  'drop of a summary': async (place) => {
    const { here } = await summed(place)
    return (options) => here.drop('all', options)
  },
  'build of copies': async (place) => {
    const { copies } = await copied(place)
    return (options) => copies.on(place.account).build(options)
  },
  'get of a summary': async (place) => {
    const { here, there } = await summed(place)
    await there.build()
    return (options) => here.get('all', sales, options)
  },
  'query of summaries': async (place) => {
    const { here, there } = await summed(place)
    await there.build()
    return (options) => collected(here.query('all', sales, options))
  },
  'fill of copies': async (place) => {
    const { copies } = await copied(place)
    return (options) => copies.on(place.account).fill({ team: 'c', lead: '1' }, options)
  },
  'refresh of copies': async (place) => {
    const { copies } = await copied(place)
    return (options) => copies.on(place.account).refresh({ team: 'a' }, options)
  },
  'repair of copies': async (place) => {
    const { copies } = await copied(place)
    return (options) => copies.on(place.account).repair(options)
  },
  'put of a chunk store': async (place) => {
    const { store } = await storing(place)
    return (options) => store.put('b', new Uint8Array(1_000_000), options)
  },
  'get of a chunk store': async (place) => {
    const { store } = await storing(place)
    return (options) => store.get('a', options)
  },
  'has of a chunk store': async (place) => {
    const { store } = await storing(place)
    return (options) => store.has('a', options)
  },
  'delete of a chunk store': async (place) => {
    const { store } = await storing(place)
    return (options) => store.delete('a', options)
  },
  'list of a chunk store': async (place) => {
    const { store } = await storing(place)
    return (options) => collected(store.list('', options))
  },
  'get of a wide entity': async (place) => {
    const wide = await widened(place)
    return (options) => wide.get(one, options)
  },
  'find of a wide entity': async (place) => {
    const wide = await widened(place)
    return (options) => wide.find(two, options)
  },
  'query of wide entities': async (place) => {
    const wide = await widened(place)
    return (options) => collected(wide.query(sales, options))
  },
  'insert of a wide entity': async (place) => {
    const wide = await widened(place)
    return (options) => wide.insert({ ...two, note: 'x' }, options)
  },
  'save of a wide entity': async (place) => {
    const wide = await widened(place)
    const entity = await wide.get(one)
    return (options) => wide.save(Object.assign(entity, { lastName: 'x', note: 'y' }), options)
  },
  'modify of a wide entity': async (place) => {
    const wide = await widened(place)
    const change = (entity: object) => void Object.assign(entity, { note: 'y' })
    return (options) => wide.modify(one, change, options)
  },
  'delete of a wide entity': async (place) => {
    const wide = await widened(place)
    const entity = await wide.get(one)
    return (options) => wide.delete(entity, options)
  },
  'a write with messages': async (place) => {
    const { Employee } = outboxOf()
    await place.other.table(Employee).create()
    return (options) => place.account.table(Employee).insert({ ...one }, options)
  },
  'deliver of an outbox': async (place) => {
    const { outbox, partition } = await posted(place)
    return (options) => outbox.deliver(partition, async () => {}, { options })
  },
  'drain of an outbox': async (place) => {
    const { outbox } = await posted(place)
    return (options) => outbox.drain(options)
  },
  'redrive of an outbox': async (place) => {
    const { outbox, partition } = await posted(place)
    const fail = () => Promise.reject(new Error('failed'))
    await outbox.deliver(partition, fail)
    return (options) => outbox.retryDead(sales, options)
  },
  'deadLetters of an outbox': async (place) => {
    const { outbox } = await posted(place)
    return (options) => outbox.deadLetters(sales, options)
  },
  'pending of an outbox': async (place) => {
    const { outbox } = await posted(place)
    return (options) => outbox.pending(sales, options)
  },
  'send of an outbox': async (place) => {
    const { outbox } = await posted(place)
    return (options) => outbox.send(sales, 'a', options)
  },
  'insert of period tables': async (place) => {
    const { here } = await withLogins(place)
    const at = new Date('2026-11-22T09:00:00Z')
    return (options) => here.insert({ user: 'jones', at }, options)
  },
  'periods of period tables': async (place) => {
    const { here } = await withLogins(place)
    return (options) => collected(here.periods(options))
  },
  'query of period tables': async (place) => {
    const { here } = await withLogins(place)
    const span = { from: new Date('2026-11-01'), until: new Date('2026-12-01') }
    return (options) => collected(here.query(span, undefined, options))
  },
  'dropBefore of period tables': async (place) => {
    const { here } = await withLogins(place)
    return (options) => here.dropBefore(new Date('2026-11-22'), options)
  },
  'verify of copies': async (place) => {
    const { copies } = await copied(place)
    return (options) => copies.on(place.account).verify(options)
  },
  'drop of copies': async (place) => {
    const { copies } = await copied(place)
    return (options) => copies.on(place.account).drop(undefined, options)
  },
  'state of copies': async (place) => {
    const { copies } = await copied(place)
    return (options) => copies.on(place.account).state(options)
  },
  'state of a summary': async (place) => {
    const { here } = await summed(place)
    return (options) => here.state('all', options)
  },
  'save of a large value': async (place) => {
    const { here, entity } = await outside(place)
    return (options) => here.save(entity, new Uint8Array(1), options)
  },
  'load of a large value': async (place) => {
    const { here, entity } = await outside(place)
    await here.save(entity, new Uint8Array(1))
    return (options) => here.load(entity, options)
  },
  'sweep of large values': async (place) => {
    const { here, entity } = await outside(place)
    await here.stage(entity, new Uint8Array(1))
    return (options) => here.sweep({ ...options, olderThan: 0 })
  },
  'write of period tables': async (place) => {
    const { here } = await withLogins(place)
    const at = new Date('2026-11-22T09:00:00Z')
    const login = { user: 'jones', at }
    return (options) => here.write(at, (table, call) => table.insertOrReplace(login, call), options)
  },
  'page of period tables': async (place) => {
    const { here } = await withLogins(place)
    const span = { from: new Date('2026-11-01'), until: new Date('2026-12-01') }
    return (options) => here.page(span, { size: 5 }, undefined, options)
  },
  'send of a worker': async (place) => {
    const { jobs } = await queued(place)
    return (options) => jobs.send('move', { ...sales, id: '1' }, 0, options)
  },
  'deadLetters of a worker': async (place) => {
    const { jobs } = await queued(place)
    return (options) => jobs.deadLetters(options)
  },
  'retryDead of a worker': async (place) => {
    const { jobs } = await queued(place)
    await tableQueue(place.other, 'dead', { table: 'queues' }).send('{"kind":"move","payload":1}')
    return (options) => jobs.retryDead(options)
  },
  'receive of a queue': async (place) => {
    const { queue } = await filledQueue(place)
    return (options) => queue.receive({ count: 2, visibility: 1_000 }, options)
  },
  'peek of a queue': async (place) => {
    const { queue } = await filledQueue(place)
    return (options) => queue.peek(2, options)
  },
  'extend of a queue': async (place) => {
    const { queue, message } = await filledQueue(place)
    return (options) => queue.extend(message, 1_000, options)
  },
  'delete of a queue': async (place) => {
    const { queue, message } = await filledQueue(place)
    return (options) => queue.delete(message, options)
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
