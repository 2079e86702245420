import { localTableService } from '@rowkey/local'
import { Account } from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import {
  memoryQueue,
  type Queue,
  type QueueMessage,
  type StorageQueueClient,
  storageQueue,
  tableQueue,
} from '@rowkey/patterns'
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

interface Opened {
  readonly queue: Queue
  readonly clock: { now: number }
}

async function tableBacked() {
  const clock = office()
  await clock.account.createTable('queues')
  const queue = tableQueue(clock.account, 'jobs', { table: 'queues' })
  return { queue, clock, account: clock.account }
}

async function inMemory(): Promise<Opened> {
  const clock = { now: 1_000_000 }
  return { queue: memoryQueue('jobs', { now: () => clock.now }), clock }
}

/** A client with the shape and the errors of @azure/storage-queue, over a queue in memory. */
async function storage(): Promise<Opened> {
  const clock = { now: 1_000_000 }
  const inner = memoryQueue('jobs', { now: () => clock.now })
  const held = (messageId: string, receipt: string) => ({
    id: messageId,
    receipt,
    text: '',
    dequeueCount: 0,
    sentAt: 0,
  })
  const client: StorageQueueClient = {
    name: 'jobs',
    sendMessage: (text, { visibilityTimeout = 0 } = {}) =>
      inner.send(text, visibilityTimeout * 1000),
    async receiveMessages({ numberOfMessages: count = 1, visibilityTimeout = 30 } = {}) {
      const received = await inner.receive({ count, visibility: visibilityTimeout * 1000 })
      return {
        receivedMessageItems: received.map((message) => ({
          messageId: message.id,
          messageText: message.text,
          dequeueCount: message.dequeueCount,
          insertedOn: new Date(message.sentAt),
          popReceipt: message.receipt,
        })),
      }
    },
    async peekMessages({ numberOfMessages: count = 1 } = {}) {
      const seen = await inner.peek(count)
      return {
        peekedMessageItems: seen.map((message) => ({
          messageId: message.id,
          messageText: message.text,
          dequeueCount: message.dequeueCount,
          insertedOn: new Date(message.sentAt),
        })),
      }
    },
    async updateMessage(id, receipt, _, visibilityTimeout = 0) {
      const updated = await inner.extend(held(id, receipt), visibilityTimeout * 1000)
      if (updated === undefined)
        throw Object.assign(new TypeError('old'), { code: 'PopReceiptMismatch' })
      return { popReceipt: updated.receipt }
    },
    async deleteMessage(id, receipt) {
      const isDeleted = await inner.delete(held(id, receipt))
      if (!isDeleted) throw Object.assign(new TypeError('gone'), { statusCode: 404 })
    },
    async getProperties() {
      return { approximateMessagesCount: (await inner.depth()).messages }
    },
  }
  return { queue: storageQueue(client), clock }
}

it('storageQueue does not take a missing queue for a message that another worker has', async () => {
  const failure = Object.assign(new Error('no queue'), { statusCode: 404, code: 'QueueNotFound' })
  const fail = () => Promise.reject(failure)
  const queue = storageQueue({
    name: 'jobs',
    sendMessage: fail,
    receiveMessages: fail,
    peekMessages: fail,
    updateMessage: fail,
    deleteMessage: fail,
    getProperties: fail,
  })
  const message = { id: '1', text: '', dequeueCount: 1, sentAt: 0, receipt: '1' }
  await expect(queue.extend(message, 1_000)).rejects.toBe(failure)
  await expect(queue.delete(message)).rejects.toBe(failure)
})

describe.each([
  ['memoryQueue', inMemory],
  ['tableQueue', tableBacked],
  ['storageQueue', storage],
])('%s', (_, open) => {
  it('R-148: hides a received message, and delivers it again after the visibility time', async () => {
    const { queue, clock } = await open()
    await queue.send('one')
    const [first] = await queue.receive({ count: 5, visibility: 10_000 })
    expect(first).toMatchObject({ text: 'one', dequeueCount: 1 })
    expect(await queue.receive({ count: 5, visibility: 10_000 })).toEqual([])
    clock.now += 10_000
    const [again] = await queue.receive({ count: 5, visibility: 10_000 })
    expect(again).toMatchObject({ id: first?.id, text: 'one', dequeueCount: 2 })
  })

  it('deletes a message only with the receipt of its last delivery', async () => {
    const { queue, clock } = await open()
    await queue.send('one')
    const [first] = await queue.receive({ count: 1, visibility: 1_000 })
    clock.now += 1_000
    const [second] = await queue.receive({ count: 1, visibility: 1_000 })
    if (first === undefined || second === undefined) throw new TypeError('no message')
    expect(await queue.delete(first)).toBe(false)
    expect(await queue.extend(first, 5_000)).toBeUndefined()
    expect(await queue.delete(second)).toBe(true)
    expect(await queue.delete(second)).toBe(false)
    expect(await queue.depth()).toMatchObject({ messages: 0 })
  })

  it('extends the visibility time from now on', async () => {
    const { queue, clock } = await open()
    await queue.send('one')
    const [message] = await queue.receive({ count: 1, visibility: 2_000 })
    if (message === undefined) throw new TypeError('no message')
    clock.now += 1_000
    const kept = await queue.extend(message, 5_000)
    clock.now += 4_000
    expect(await queue.receive({ count: 1, visibility: 1_000 })).toEqual([])
    expect(kept && (await queue.delete(kept))).toBe(true)
  })

  it('delays a message', async () => {
    const { queue, clock } = await open()
    await queue.send('later', 3_000)
    expect(await queue.receive({ count: 1, visibility: 1_000 })).toEqual([])
    clock.now += 3_000
    expect(await queue.receive({ count: 1, visibility: 1_000 })).toHaveLength(1)
  })

  it('rejects times that are not finite or longer than 100 years, more than 32 messages, and texts that are not strings', async () => {
    const { queue } = await open()
    const invalid = { code: 'InvalidPatternOption' }
    for (const time of [Number.NaN, Number.POSITIVE_INFINITY, -1, 1e15]) {
      await expect(queue.send('one', time)).rejects.toMatchObject(invalid)
      await expect(queue.receive({ count: 1, visibility: time })).rejects.toMatchObject(invalid)
    }
    await expect(queue.send(5 as never)).rejects.toMatchObject(invalid)
    const many = { count: 33, visibility: 1_000 }
    await expect(queue.receive(many)).rejects.toThrow(/a whole number from 1 to 32; got 33/)
    expect(await queue.depth()).toMatchObject({ messages: 0 })
  })

  it('gives each message to one of several receivers', async () => {
    const { queue } = await open()
    for (let n = 0; n < 10; n++) await queue.send(String(n))
    const looks = await Promise.all(
      Array.from({ length: 4 }, () => queue.receive({ count: 10, visibility: 60_000 })),
    )
    const texts = looks.flat().map(({ text }) => text)
    expect(new Set(texts).size).toBe(texts.length)
    expect(texts.length).toBeGreaterThan(0)
    expect(await queue.depth()).toMatchObject({ messages: 10 })
  })
})

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

describe('storageQueue', () => {
  it('is empty when its client shows no count', async () => {
    const unused = async () => ({}) as never
    const queue = storageQueue({
      name: 'jobs',
      sendMessage: unused,
      receiveMessages: unused,
      peekMessages: unused,
      updateMessage: unused,
      deleteMessage: unused,
      getProperties: async () => ({}),
    })
    expect(await queue.depth()).toEqual({ messages: 0 })
  })
})

describe('memoryQueue', () => {
  it('tells when the oldest message was sent', async () => {
    const { queue, clock } = await inMemory()
    const sentAt = clock.now
    await queue.send('one')
    clock.now += 5_000
    await queue.send('two')
    expect(await queue.depth()).toEqual({ messages: 2, oldest: sentAt })
  })

  it('tells the depth of more messages than a call can have arguments', async () => {
    const { queue, clock } = await inMemory()
    for (let n = 0; n < 150_000; n++) await queue.send('x')
    expect(await queue.depth()).toEqual({ messages: 150_000, oldest: clock.now })
  })
})
