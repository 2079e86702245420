import { localTableService, seededRandom } from '@rowkey/local'
import { Account, defineEntity, key } from '@rowkey/mapper'
import {
  type Delivery,
  declareOutbox,
  type Handler,
  tableQueue,
  type Work,
  type Worker as WorkerOf,
  worker,
} from '@rowkey/patterns'
import { noRetry, type Transport, tableService } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { CASE_STEP } from '../../support/cases-to-play.ts'
import { lossy, mortal } from '../mortal-programs.ts'

const CUSTOMERS = ['adams', 'jones', 'smith']

/** What a handler does with a message, besides recording it. */
type During = (message: string, worker: Worker, delivery: Delivery) => Promise<void>

/** One process: it sends messages, and handles those that are announced. */
interface Worker {
  readonly account: Account
  readonly orders: ReturnType<typeof open>
  readonly jobs: WorkerOf<object>
  /** Ends the process: no request of it is sent any more. */
  die(): void
}

const open = (account: Account, work: Work<object>, handle: Handler<string>) =>
  declareOutbox(
    defineEntity({
      name: 'orders',
      partitionKey: key`${'customer'}`,
      rowKey: key`order_${'id'}`,
      schema: z.object({ customer: z.string(), id: z.string() }),
    }),
    { messages: (): readonly string[] => [], handle, worker: work },
  ).on(account)

/** A service, whose clock moves only by sleeping, and its processes. */
async function shop(flavour: 'storage' | 'cosmos' = 'storage') {
  const clock = { now: 1_000_000_000_000 }
  const now = () => clock.now
  const { transport, connectionString } = localTableService({ now, flavour })
  const sleep = async (ms: number) => {
    clock.now += ms
  }
  /** The messages that were handled, in order. */
  const handled: string[] = []
  const start = (during: During = async () => {}, through: Transport = transport): Worker => {
    let isDead = false
    const account = new Account(
      tableService({
        connectionString: connectionString(),
        flavour,
        now,
        random: () => 0.5,
        sleep,
        ...(through === transport && { retry: noRetry }),
        transport: async (request, limits) => {
          if (isDead) throw new Error('ended')
          return through(request, limits)
        },
      }),
    )
    const work = worker({
      queue: () => tableQueue(account, 'jobs', { table: 'queues' }),
      deadLetters: () => tableQueue(account, 'dead', { table: 'queues' }),
    })
    const orders = open(account, work, async (message, delivery) => {
      handled.push(message)
      await during(message, own, delivery)
    })
    const jobs = work.on(account)
    const own: Worker = {
      account,
      orders,
      jobs,
      die() {
        isDead = true
      },
    }
    return own
  }
  const main = start()
  await main.account.createTable('orders')
  await main.account.createTable('queues')
  return { clock, sleep, transport, handled, start, main }
}

/** Tells whether the messages of each customer were handled in order, each maybe twice in a row. */
function inOrder(handled: readonly string[]): boolean {
  return CUSTOMERS.every((customer) => {
    const numbers = handled
      .filter((message) => message.startsWith(customer))
      .map((message) => Number(message.split(' ')[1]))
    return numbers.every((each, at) => at === 0 || each >= (numbers[at - 1] ?? 0))
  })
}

describe.each(['storage', 'cosmos'] as const)('send on %s', (flavour) => {
  it('hands each message to one consumer of its partition, in order', async () => {
    const { main, handled, start } = await shop(flavour)
    const other = start()
    for (let n = 0; n < 6; n++) {
      for (const customer of CUSTOMERS) {
        await (n % 2 === 0 ? main : other).orders.send({ customer }, `${customer} ${n}`)
      }
    }
    expect(await main.orders.pending({ customer: 'jones' })).toEqual(
      Array.from({ length: 6 }, (_, n) => `jones ${n}`),
    )
    const tallies = await Promise.all([main.jobs.drain(), other.jobs.drain()])
    expect(tallies.reduce((sum, { failed, dead }) => sum + failed + dead, 0)).toBe(0)
    expect(handled.length).toBe(18)
    expect(inOrder(handled)).toBe(true)
  })
})

describe('send', () => {
  it('keeps the order of calls that do not wait for each other', async () => {
    const { main, handled } = await shop()
    const sends = Array.from({ length: 20 }, (_, n) =>
      main.orders.send({ customer: 'jones' }, `jones ${n}`),
    )
    await Promise.all(sends)
    await main.jobs.drain()
    expect(handled).toEqual(Array.from({ length: 20 }, (_, n) => `jones ${n}`))
  })

  it('lets later messages of a partition wait for one that fails, and no other partition', async () => {
    const failures = new Map([['jones 1', 3]])
    const { handled, start } = await shop()
    const worker = start(async (message) => {
      const left = failures.get(message) ?? 0
      failures.set(message, left - 1)
      if (left > 0) throw new Error('not yet')
    })
    for (const message of ['jones 1', 'jones 2', 'smith 1']) {
      await worker.orders.send({ customer: message.slice(0, 5) }, message)
    }
    await worker.jobs.drain()
    const ofJones = handled.filter((each) => each.startsWith('jones'))
    expect(ofJones).toEqual(['jones 1', 'jones 1', 'jones 1', 'jones 1', 'jones 2'])
    expect(handled.indexOf('smith 1')).toBeLessThan(3)
  })

  it('handles each stored message in order when requests and responses get lost', async () => {
    for (let seed = 1; seed <= 8; seed += CASE_STEP) {
      const { handled, start, main, sleep, transport } = await shop()
      const losing = lossy(transport, seededRandom(seed), 0.1)
      const [one, two] = [start(undefined, losing), start(undefined, losing)]
      const stored: string[] = []
      for (let n = 0; n < 8; n++) {
        const customer = CUSTOMERS[n % 2] ?? ''
        const message = `${customer} ${n}`
        await one.orders.send({ customer }, message).then(
          () => stored.push(message),
          () => undefined,
        )
        if (n % 3 === 0) await two.jobs.runOnce().catch(() => undefined)
      }
      for (let look = 0; look < 5; look++) {
        await Promise.allSettled([one.jobs.runOnce(), two.jobs.runOnce()])
        await sleep(10_000)
      }
      await main.jobs.drain()
      for (const message of stored) expect(handled, `seed ${seed}`).toContain(message)
      expect(inOrder(handled), `seed ${seed}: ${handled}`).toBe(true)
      for (const customer of CUSTOMERS) {
        expect(await main.orders.pending({ customer })).toEqual([])
        expect(await main.orders.deadLetters({ customer })).toEqual([])
      }
    }
  })

  it('handles each stored message in order, whichever request a process dies before or after', async () => {
    for (const dies of ['before', 'after'] as const) {
      for (let at = 1, ended = false; !ended; at += CASE_STEP) {
        const { handled, start, main, transport } = await shop()
        const { step, count } = mortal(at, dies)
        const dying: Transport = (request, limits) => step(() => transport(request, limits))
        await main.orders.send({ customer: 'jones' }, 'jones 1')
        const ending = start(undefined, dying)
        const isSent = await ending.orders
          .send({ customer: 'jones' }, 'jones 2')
          .then(() => ending.jobs.runOnce())
          .then(
            () => true,
            () => false,
          )
        await main.orders.send({ customer: 'jones' }, 'jones 3')
        await main.jobs.drain()
        ended = count() < at
        const first = [...new Set(handled)]
        expect(inOrder(handled), `${dies} ${at}: ${handled}`).toBe(true)
        expect(first.filter((each) => each !== 'jones 2')).toEqual(['jones 1', 'jones 3'])
        if (isSent) expect(first).toContain('jones 2')
      }
    }
  })
})

describe('a worker', () => {
  it('that was paused for longer than its visibility time handles no later message', async () => {
    const { start, sleep, handled } = await shop()
    const fast = start()
    const slow = start(async (message) => {
      if (message !== 'jones 1') return
      handled.push('paused')
      await sleep(31_000)
      await fast.jobs.drain()
      await fast.orders.send({ customer: 'jones' }, 'jones 4')
      handled.push('awake')
    })
    for (const n of [1, 2, 3]) await slow.orders.send({ customer: 'jones' }, `jones ${n}`)
    await slow.jobs.runOnce()
    expect(handled).toEqual(['jones 1', 'paused', ...['jones 1', 'jones 2', 'jones 3'], 'awake'])
    expect(await fast.orders.pending({ customer: 'jones' })).toEqual(['jones 4'])
  })

  it('that takes longer than five minutes for its messages stays the only one', async () => {
    const { start, sleep, handled } = await shop()
    const other = start()
    const { orders, jobs } = start(async (message, _, delivery) => {
      for (let part = 0; part < 6; part++) {
        await sleep(10_000)
        expect(await delivery.keep()).toBe(true)
      }
      const n = Number(message.split(' ')[1])
      if (n < 10) await other.orders.send({ customer: 'jones' }, `jones ${n + 10}`)
      await other.jobs.runOnce()
    })
    for (let n = 0; n < 10; n++) await orders.send({ customer: 'jones' }, `jones ${n}`)
    await jobs.drain()
    expect(handled).toEqual(Array.from({ length: 20 }, (_, n) => `jones ${n}`))
  })

  it('costs 3 requests for a write and 5 for its job, and one for each more', async () => {
    const { main, start, transport, sleep, handled } = await shop()
    let sent = 0
    const counting = start(undefined, async (request, limits) => {
      sent++
      return transport(request, limits)
    })
    const costOf = async (run: () => Promise<unknown>) => {
      sent = 0
      await run()
      return sent
    }
    const send = () => counting.orders.send({ customer: 'jones' }, 'jones 1')
    // The head, the announcement and the transaction.
    expect(await costOf(send)).toBe(3)
    // To receive the job 2, to read the messages, to delete the message with the change of the head, and to delete the job.
    expect(await costOf(() => counting.jobs.runOnce())).toBe(5)
    await sleep(10_000)
    expect(await costOf(send)).toBe(3)
    for (let n = 0; n < 200; n++) expect(await costOf(send)).toBe(1)
    handled.length = 0
    // A delete for each message, the last with the change of the head.
    expect(await costOf(() => counting.jobs.runOnce())).toBe(5 + 200)
    expect(handled.length).toBe(201)
    expect(await main.jobs.depth()).toMatchObject({ messages: 0 })
  })

  it('that stops leaves the other messages to another one', async () => {
    const { main, handled, start } = await shop()
    const stop = new AbortController()
    const stopping = start(async () => stop.abort())
    for (const n of [1, 2, 3]) await main.orders.send({ customer: 'jones' }, `jones ${n}`)
    expect(await stopping.jobs.runOnce(stop.signal)).toEqual({ done: 1, failed: 0, dead: 0 })
    expect(handled).toEqual(['jones 1'])
    expect(await main.jobs.drain()).toMatchObject({ failed: 0, dead: 0 })
    expect(handled).toEqual(['jones 1', 'jones 2', 'jones 3'])
  })
})

describe('a message that ends its worker', () => {
  it('becomes a dead letter, and messages of other entities go on', async () => {
    const { start, sleep, handled, main } = await shop()
    for (const customer of ['jones', 'smith']) {
      for (const n of [1, 2, 3]) await main.orders.send({ customer }, `${customer} ${n}`)
    }
    for (let process = 0; process < 40; process++) {
      const worker = start(async (message, { die }) => {
        if (message !== 'jones 2') return
        die()
        throw new Error('ended')
      })
      await worker.jobs.runOnce().catch(() => undefined)
      await sleep(31_000)
    }
    expect(await main.orders.deadLetters({ customer: 'jones' })).toMatchObject([
      { payload: 'jones 2', attempts: 5, reason: 'Its worker ended in the handler.' },
    ])
    expect(handled.filter((each) => each === 'jones 2').length).toBe(6)
    expect(inOrder(handled)).toBe(true)
    expect(new Set(handled).size).toBe(6)
    expect(await main.jobs.deadLetters()).toEqual([])
    expect(await main.jobs.depth()).toMatchObject({ messages: 0 })
  })
})
