import { memoryQueue, type StorageQueueClient, storageQueue } from '@rowkey/patterns'
import { describe, expect, it } from 'vitest'
import { inMemory, type Opened, tableBacked } from './opened-queues.ts'

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
