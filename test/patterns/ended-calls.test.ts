import { localTableService } from '@rowkey/local'
import { Account, defineEntity, key } from '@rowkey/mapper'
import {
  chunkStore,
  declareLargeValues,
  declareOutbox,
  periodTables,
  tableQueue,
} from '@rowkey/patterns'
import { AbortError, type CallOptions, type HttpRequest, noRetry, tableService } from '@rowkey/rest'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { announcedTo } from './announcing.ts'

// Waits end when a test says so.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Opens an account whose requests get no response until they are given up, or take time. */
function opened() {
  const network = { hangs: (_: HttpRequest): boolean => false, takes: 0, ahead: 0 }
  const now = () => Date.now() + network.ahead
  const local = localTableService({ now })
  const account = new Account(
    tableService({
      connectionString: local.connectionString(),
      retry: noRetry,
      now,
      sleep: async (ms) => {
        network.ahead += ms
      },
      transport: async (request, limits) => {
        network.ahead += network.takes
        if (!network.hangs(request)) return local.transport(request, limits)
        return new Promise((_, reject) => {
          const { signal, timeout } = limits ?? {}
          signal?.addEventListener('abort', () => reject(signal.reason))
          setTimeout(() => reject(new Error('no response')), timeout ?? 30_000).unref()
        })
      },
    }),
  )
  return { account, network }
}

const schema = z.object({ p: z.string(), id: z.string(), name: z.string().optional() })

const rowsOf = (name: string) =>
  defineEntity({ name, partitionKey: key`${'p'}`, rowKey: key`${'id'}`, schema })

/** The rows of a model with an outbox, whose jobs lie in a table. */
async function mailed() {
  const { account, network } = opened()
  const Row = rowsOf('mails')
  const queue = tableQueue(account, 'jobs', { table: 'queues' })
  const outbox = declareOutbox(Row, {
    messages: ({ after }) => [after?.id ?? ''],
    ...announcedTo((partition, delay, options) =>
      queue.send(JSON.stringify(partition), delay, options),
    ),
    attempts: 1,
  }).on(account)
  const rows = account.table(Row)
  await Promise.all([rows.create(), account.createTable('queues')])
  return { network, rows, outbox }
}

/** The rows of a model with large values, which lie in a table. */
async function pictured() {
  const { account, network } = opened()
  const Row = rowsOf('people')
  const values = declareLargeValues(Row, {
    property: 'name',
    store: (used) => chunkStore(used, { table: 'values' }),
  }).on(account)
  const rows = account.table(Row)
  await Promise.all([rows.create(), account.createTable('values')])
  return { network, rows, values }
}

const ofTable =
  (name: string, method = 'GET') =>
  (request: HttpRequest) =>
    request.method === method && request.path.includes(`/${name}`)

const one = { p: 'p', id: '1' }

/** Begins a call that waits for a request without a response. */
type Waiting = () => Promise<(options: CallOptions) => Promise<unknown>>

const waiting: Readonly<Record<string, Waiting>> = {
  'an announcement of messages': async () => {
    const { network, rows } = await mailed()
    network.hangs = ofTable('queues', 'POST')
    return (options) => rows.insert({ ...one }, options)
  },
  'an announcement of a sent message': async () => {
    const { network, outbox } = await mailed()
    network.hangs = ofTable('queues', 'POST')
    return (options) => outbox.send(one, 'a', options)
  },
  'an earlier send to the partition': async () => {
    const { network, outbox } = await mailed()
    network.hangs = ofTable('queues', 'POST')
    outbox.send(one, 'a').catch(() => undefined)
    return (options) => outbox.send(one, 'b', options)
  },
  'an earlier write of the partition': async () => {
    const { network, rows } = await mailed()
    network.hangs = ofTable('queues', 'POST')
    rows.insert({ ...one }).catch(() => undefined)
    return (options) => rows.insert({ ...one, id: '2' }, options)
  },
  'an announcement of a dead letter': async () => {
    const { network, rows, outbox } = await mailed()
    await rows.insert({ ...one })
    await outbox.deliver({ table: 'mails', partitionKey: 'p' }, fail)
    network.ahead += 400_000
    network.hangs = ofTable('queues', 'POST')
    return (options) => outbox.retryDead(one, options)
  },
  'the check of a large value': async () => {
    const { network, rows, values } = await pictured()
    const row = { ...one }
    await values.stage(row, new Uint8Array(3))
    network.hangs = ofTable('values')
    return (options) => rows.insert(row, options)
  },
  'the creation of a table of a period': async () => {
    const { account, network } = opened()
    const Row = rowsOf('logins')
    const at = () => new Date('2026-11-20T00:00:00Z')
    const logins = periodTables(Row, { prefix: 'Logins', period: 'day', at }).on(account)
    network.hangs = ofTable('Tables', 'POST')
    logins.insert({ ...one }).catch(() => undefined)
    return (options) => logins.insert({ ...one, id: '2' }, options)
  },
}

async function fail(): Promise<void> {
  throw new Error('failed')
}

describe('a call that waits for another request', () => {
  it.each(Object.entries(waiting))('ends with its signal: %s', async (_, begin) => {
    const call = await begin()
    const stop = new AbortController()
    const ended = expect(call({ signal: stop.signal })).rejects.toThrow(AbortError)
    await vi.advanceTimersByTimeAsync(10)
    stop.abort()
    await ended
  })

  it.each(Object.entries(waiting))('ends at its deadline: %s', async (_, begin) => {
    const call = await begin()
    const ended = expect(call({ deadline: 20 })).rejects.toThrow()
    await vi.advanceTimersByTimeAsync(20)
    await ended
  })

  it('a large value that is stored is saved, although the delete of the value before gets no response', async () => {
    const { network, rows, values } = await pictured()
    const row = await rows.insert({ ...one })
    await values.save(row, new Uint8Array([1]))
    network.hangs = ofTable('values', 'DELETE')
    const saved = values.save(row, new Uint8Array([2]), { deadline: 1_000 })
    await vi.advanceTimersByTimeAsync(1_000)
    await saved
    expect(await values.load(await rows.get(one))).toEqual(new Uint8Array([2]))
  })
})
