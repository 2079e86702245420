import { localTableService } from '@rowkey/local'
import { Account } from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import { type QueueMessage, tableQueue } from '@rowkey/patterns'
import {
  exponentialRetry,
  noRetry,
  type Transport,
  TransportError,
  tableService,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { longTest } from '../../support/cases-to-play.ts'
import { office } from '../employees.ts'
import { tableBacked } from './opened-queues.ts'

describe('tableQueue', () => {
  it('a row of another program does not stop the queue', async () => {
    const { account, queue } = await tableBacked()
    const rows = account.table('queues')
    const key = '~rk~qu~00000000000000'
    await rows.insert(new DynamicEntity('jobs', `${key}1_a`, { Text: 5, SentAt: 'now' }))
    await rows.insert(new DynamicEntity('jobs', `${key}2_b`))
    await rows.insert(new DynamicEntity('jobs', '000000000000003_c', { Text: 'an entity' }))
    await queue.send('one')
    const received = await queue.receive({ count: 10, visibility: 1_000 })
    expect(received.map(({ id, text }) => [id, text])).toEqual([
      ['a', ''],
      ['b', ''],
      ['id00000005', 'one'],
    ])
    expect(await queue.depth()).toMatchObject({ messages: 3 })
    for (const message of received) expect(await queue.delete(message)).toBe(true)
  })

  it('receives several messages by one transaction', async () => {
    const { account, sent } = office()
    await account.createTable('queues')
    const queue = tableQueue(account, 'jobs', { table: 'queues' })
    for (let n = 0; n < 10; n++) await queue.send(String(n))
    sent.length = 0
    const received = await queue.receive({ count: 10, visibility: 1_000 })
    expect(received.map(({ text }) => text)).toEqual([
      '0',
      '1',
      '2',
      '3',
      '4',
      '5',
      '6',
      '7',
      '8',
      '9',
    ])
    expect(sent.map(({ method }) => method)).toEqual(['GET', 'POST'])
    for (const message of received) expect(await queue.delete(message)).toBe(true)
  })

  it.each([
    [16, 2],
    [32, 33],
  ])('receives %i messages of the longest text by %i requests', async (count, requests) => {
    const { account, sent } = office()
    await account.createTable('queues')
    const queue = tableQueue(account, 'jobs', { table: 'queues' })
    for (let n = 0; n < count; n++) await queue.send('€'.repeat(32_000))
    sent.length = 0
    expect(await queue.receive({ count, visibility: 1_000 })).toHaveLength(count)
    expect(sent).toHaveLength(requests)
  })

  longTest('receivers that lose messages to each other spread over more of them', async () => {
    const { transport, connectionString } = localTableService()
    let requests = 0
    const counting: Transport = (request, limits) => {
      requests++
      return transport(request, limits)
    }
    let state = 1
    const random = () => {
      state = (state * 48_271) % 2_147_483_647
      return state / 2_147_483_647
    }
    const open = () => {
      const service = tableService({
        connectionString: connectionString(),
        transport: counting,
        retry: noRetry,
        random,
      })
      return tableQueue(new Account(service), 'jobs', { table: 'queues' })
    }
    const queues = Array.from({ length: 16 }, open)
    const [first] = queues
    await new Account(
      tableService({ connectionString: connectionString(), transport }),
    ).createTable('queues')
    for (let n = 0; n < 200; n++) await first?.send(String(n))
    requests = 0
    const done = new Set<string>()
    for (let round = 0; round < 60 && done.size < 200; round++) {
      const looks = queues.map((each) => each.receive({ count: 4, visibility: 60_000 }))
      for (const [at, received] of (await Promise.all(looks)).entries()) {
        for (const message of received) {
          expect(done).not.toContain(message.text)
          done.add(message.text)
          await queues[at]?.delete(message)
        }
      }
    }
    expect(done.size).toBe(200)
    // One and a half requests for each job without other receivers.
    expect(requests).toBeLessThan(200 * 2.5)
  })

  it('receives a message that a late send has stored again, and those that follow it', async () => {
    const opened = office()
    await opened.account.createTable('queues')
    let late: (() => Promise<unknown>) | undefined
    const network = opened.over((service) => async (request, limits) => {
      if (late !== undefined || request.method !== 'POST') return service(request, limits)
      late = () => service(request, limits)
      throw new TransportError({ message: 'The request is late.', mayHaveApplied: true })
    })
    const sender = tableQueue(network, 'jobs', { table: 'queues' })
    await sender.send('one', 0, { retry: exponentialRetry({ baseDelay: 0 }) })
    const queue = tableQueue(opened.account, 'jobs', { table: 'queues' })
    expect(await queue.receive({ count: 1, visibility: 1_000 })).toHaveLength(1)
    await late?.()
    await queue.send('two')
    opened.now += 2_000
    const received = await queue.receive({ count: 10, visibility: 1_000 })
    expect(received.map(({ text }) => text).toSorted()).toEqual(['one', 'one', 'two'])
    for (const message of received) expect(await queue.delete(message)).toBe(true)
    expect(await queue.depth()).toMatchObject({ messages: 0 })
  })

  it('counts the receipts of a row without a count from the first one', async () => {
    const { queue, account } = await tableBacked()
    await queue.send('one')
    const rows = account.table('queues')
    const [row] = await rows.query().allowTableScan().toArray()
    row?.delete('DequeueCount')
    await rows.replace(row as DynamicEntity)
    const [message] = await queue.receive({ count: 1, visibility: 1_000 })
    expect(message).toMatchObject({ text: 'one', dequeueCount: 1 })
  })

  it.each(['storage', 'cosmos'] as const)(
    'does not take a missing table for a message that another receiver has, on %s',
    async (flavour) => {
      const { account } = office(flavour)
      await account.createTable('queues')
      const queue = tableQueue(account, 'jobs', { table: 'queues' })
      await queue.send('a')
      const [message] = await queue.receive({ count: 1, visibility: 1_000 })
      await account.deleteTable('queues')
      const extending = queue.extend(message as QueueMessage, 1_000)
      await expect(extending).rejects.toMatchObject({ status: 404 })
    },
  )

  it('rejects the receipt of another queue', async () => {
    const { queue } = await tableBacked()
    const message = { id: '1', text: '', dequeueCount: 1, sentAt: 0, receipt: '5' }
    await expect(queue.delete(message)).rejects.toMatchObject({ code: 'InvalidPatternOption' })
  })

  it('tells when the oldest message was sent', async () => {
    const { queue, clock } = await tableBacked()
    const sentAt = clock.now
    await queue.send('one')
    clock.now += 5_000
    await queue.send('two')
    expect(await queue.depth()).toEqual({ messages: 2, oldest: sentAt })
  })

  it('reads the times of its messages only to count them, also of a row without one', async () => {
    const { queue, clock, account } = await tableBacked()
    const rows = account.table('queues')
    await rows.insert(new DynamicEntity('jobs', '~rk~qu~1_a'))
    const { timestamp } = await rows.get(['jobs', '~rk~qu~1_a'])
    clock.now += 60_000
    await queue.send('x'.repeat(10_000))
    clock.sent.length = 0
    expect(await queue.depth()).toEqual({ messages: 2, oldest: timestamp?.getTime() })
    const queries = clock.sent.map(({ query }) => query)
    expect(queries).toHaveLength(1)
    expect(queries[0]).toMatch(/select=[^&]*SentAt/)
    expect(queries[0]).not.toMatch(/select=[^&]*Text/)
  })

  it('extends by no time: the message is visible at once', async () => {
    const { queue } = await tableBacked()
    await queue.send('one')
    const [message] = await queue.receive({ count: 1, visibility: 1_000 })
    const same = message && (await queue.extend(message, 1_000))
    expect(same && (await queue.extend(same, 0))).toBeDefined()
    expect(await queue.receive({ count: 1, visibility: 1_000 })).toHaveLength(1)
  })

  it('rejects a message of more than 32,000 characters', async () => {
    const { queue } = await tableBacked()
    await queue.send('x'.repeat(32_000))
    await expect(queue.send('x'.repeat(32_001))).rejects.toMatchObject({
      code: 'InvalidPatternOption',
    })
    const [message] = await queue.receive({ count: 1, visibility: 1_000 })
    if (message === undefined) throw new TypeError('no message')
    expect(await queue.extend(message, 1_000)).toBeDefined()
    const longer = { ...message, text: 'x'.repeat(32_001) }
    await expect(queue.extend(longer, 1_000)).rejects.toThrow('32001 characters')
  })
})

describe('receivers of one tableQueue that share a look', () => {
  /** A queue whose first look has been made, and whose response comes when the test says so. */
  async function looking() {
    const { transport, connectionString } = localTableService()
    let respond = () => {}
    const held = new Promise<void>((resolve) => {
      respond = resolve
    })
    let looks = 0
    let onLook = () => {}
    const looked = new Promise<void>((resolve) => {
      onLook = resolve
    })
    const holding: Transport = async (request, limits) => {
      const isFirst = request.method === 'GET' && ++looks === 1
      const response = await transport(request, limits)
      if (!isFirst) return response
      onLook()
      await held
      limits?.signal?.throwIfAborted()
      return response
    }
    const account = new Account(
      tableService({
        connectionString: connectionString(),
        transport: holding,
        retry: noRetry,
        now: () => 1_000_000,
      }),
    )
    await account.createTable('queues')
    return {
      queue: tableQueue(account, 'jobs', { table: 'queues' }),
      looked,
      respond,
      looks: () => looks,
    }
  }

  const one = { count: 1, visibility: 1_000 }

  it('see a message that was sent before their call', async () => {
    const { queue, looked, respond } = await looking()
    const first = queue.receive(one)
    await looked
    await queue.send('sent meanwhile')
    const second = queue.receive(one)
    respond()
    expect(await first).toEqual([])
    expect(await second).toMatchObject([{ text: 'sent meanwhile', dequeueCount: 1 }])
  })

  it('do not share the signal of one of them', async () => {
    const { queue, looked, respond } = await looking()
    await queue.send('one')
    const stop = new AbortController()
    const stopped = queue.receive(one, { signal: stop.signal })
    await looked
    const other = queue.receive(one)
    stop.abort()
    respond()
    await expect(stopped).rejects.toThrow()
    expect(await other).toMatchObject([{ text: 'one', dequeueCount: 1 }])
  })

  it('take other messages each, and those that get none share the next look', async () => {
    const { queue, looked, respond, looks } = await looking()
    for (const text of ['one', 'two', 'three']) await queue.send(text)
    const receivers = Array.from({ length: 3 }, () => queue.receive(one))
    await looked
    respond()
    const received = (await Promise.all(receivers)).flat().map(({ text }) => text)
    expect(received.toSorted()).toEqual(['one', 'three', 'two'])
    expect(looks()).toBe(2)
  })
})
