import { localTableService, seededRandom } from '@rowkey/local'
import { Account } from '@rowkey/mapper'
import { type JobDelivery, JobQueue, memoryQueue, type Queue, tableQueue } from '@rowkey/patterns'
import { noRetry, type Transport, tableService } from '@rowkey/rest'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { CASE_STEP } from '../../support/cases-to-play.ts'
import { type Call, expectRejected, wrongCalls } from '../garbage.ts'
import { lossy, mortal } from '../mortal-programs.ts'

const STEPS = ['reserve', 'charge', 'mail', 'ship']

/** A clock that moves by sleeping only, and a service that uses it. */
function building() {
  const clock = { now: 1_000_000_000_000 }
  const { transport, connectionString } = localTableService({ now: () => clock.now })
  const sleep = async (ms: number) => {
    clock.now += ms
  }
  const open = (through: Transport, retry?: typeof noRetry) =>
    new Account(
      tableService({
        connectionString: connectionString(),
        transport: through,
        now: () => clock.now,
        random: () => 0.5,
        sleep,
        ...(retry && { retry }),
      }),
    )
  return { transport, clock, sleep, open }
}

/** A worker whose job has four steps. Each is recorded when it runs. */
function worker(
  queues: { readonly queue: Queue; readonly deadLetters: Queue },
  sleep: (ms: number) => Promise<void>,
  ran: string[],
  during: (name: string, delivery: JobDelivery) => Promise<void> = async () => {},
) {
  return new JobQueue<{ order: number }>({
    ...queues,
    handlers: {
      order: async (_, delivery) => {
        for (const name of STEPS) {
          const result = await delivery.step(name, async () => {
            ran.push(name)
            await during(name, delivery)
            return name.length
          })
          expect(result).toBe(name.length)
        }
      },
    },
    sleep,
  })
}

function tableQueues(account: Account) {
  return {
    queue: tableQueue(account, 'jobs', { table: 'queues' }),
    deadLetters: tableQueue(account, 'dead', { table: 'queues' }),
  }
}

function memoryQueues(now: () => number) {
  return {
    queue: memoryQueue('jobs', { now }),
    deadLetters: memoryQueue('dead', { now }),
  }
}

/** Tells whether each step ran, and none ran again after a later one. */
function inOrder(ran: readonly string[]): boolean {
  const at = ran.map((name) => STEPS.indexOf(name))
  return new Set(at).size === STEPS.length && at.every((each, n) => each >= (at[n - 1] ?? 0))
}

describe('step', () => {
  it.each(['before', 'after'] as const)(
    'goes on after the last finished step, whichever request the worker dies %s',
    async (dies) => {
      for (let at = 1; ; at += CASE_STEP) {
        const { transport, sleep, open } = building()
        const ran: string[] = []
        const { step, count } = mortal(at, dies)
        const dying: Transport = (request, limits) => step(() => transport(request, limits))
        const safe = open(transport)
        await safe.createTable('queues')
        const next = worker(tableQueues(safe), sleep, ran)
        await next.send('order', 1)
        await worker(tableQueues(open(dying, noRetry)), sleep, ran)
          .runOnce()
          .catch(() => undefined)
        const { dead } = await next.drain()
        expect([dead, inOrder(ran)], `${at} ${ran}`).toEqual([0, true])
        // Only the step in hand runs twice.
        expect(ran.length, `${at} ${ran}`).toBeLessThanOrEqual(STEPS.length + 1)
        if (count() < at) {
          // To receive 2, one for each step, and the delete.
          expect(count()).toBe(2 + STEPS.length + 1)
          break
        }
      }
    },
  )

  it('runs no finished step again when requests and responses get lost', async () => {
    for (let seed = 1; seed <= 40; seed += CASE_STEP) {
      const { transport, sleep, open } = building()
      const losing = lossy(transport, seededRandom(seed), 0.15)
      const safe = open(transport)
      await safe.createTable('queues')
      const ran: string[] = []
      const clean = worker(tableQueues(safe), sleep, ran)
      await clean.send('order', seed)
      for (let look = 0; look < 12; look++) {
        await worker(tableQueues(open(losing)), sleep, ran)
          .runOnce()
          .catch(() => undefined)
        await sleep(10_000)
      }
      const { dead } = await clean.drain()
      expect([dead, inOrder(ran)], `${seed} ${ran}`).toEqual([0, true])
    }
  })

  it('stops a worker that was paused for longer than its visibility time', async () => {
    const { clock, sleep } = building()
    const queues = memoryQueues(() => clock.now)
    const [slow, fast]: [string[], string[]] = [[], []]
    const paused = worker(queues, sleep, slow, async (name) => {
      if (name !== 'charge') return
      await sleep(31_000)
      await worker(queues, sleep, fast).runOnce()
    })
    await paused.send('order', 1)
    expect(await paused.runOnce()).toEqual({ done: 0, failed: 1, dead: 0 })
    expect(slow).toEqual(['reserve', 'charge'])
    expect(fast).toEqual(['charge', 'mail', 'ship'])
    expect(await queues.queue.depth()).toMatchObject({ messages: 0 })
  })

  it('gives a job all its attempts again', async () => {
    const { clock, sleep } = building()
    const queues = memoryQueues(() => clock.now)
    const ran: string[] = []
    const jobs = worker(queues, sleep, ran, async (name) => {
      if (ran.filter((each) => each === name).length < 5) throw new Error('not yet')
    })
    await jobs.send('order', 1)
    expect(await jobs.drain()).toEqual({ done: 1, failed: 16, dead: 0 })
    expect(ran).toEqual(STEPS.flatMap((name) => Array(5).fill(name)))
  })

  it('a dead letter that is sent again goes on after its last finished step', async () => {
    const { clock, sleep } = building()
    const queues = memoryQueues(() => clock.now)
    const ran: string[] = []
    let isBroken = true
    const jobs = worker(queues, sleep, ran, async (name) => {
      if (name === 'mail' && isBroken) throw new Error('no mail')
    })
    await jobs.send('order', 1)
    expect(await jobs.drain()).toMatchObject({ dead: 1 })
    isBroken = false
    ran.length = 0
    expect(await jobs.redrive()).toBe(1)
    expect(await jobs.drain()).toEqual({ done: 1, failed: 0, dead: 0 })
    expect(ran).toEqual(['mail', 'ship'])
  })

  it('returns what JSON holds, also the first time', async () => {
    const { clock, sleep } = building()
    const seen: unknown[] = []
    const jobs = new JobQueue<{ look: null }>({
      ...memoryQueues(() => clock.now),
      handlers: {
        look: async (_, { step, attempt }) => {
          const read = await step('read', async () => ({ at: new Date(0), list: [1n].length }))
          expectTypeOf(read).toEqualTypeOf<{ at: string; list: number }>()
          const nothing = await step('nothing', async () => {})
          expectTypeOf(nothing).toEqualTypeOf<void>()
          seen.push(read, nothing)
          if (attempt === 1) throw new Error('again')
        },
      },
      sleep,
    })
    await jobs.send('look', null)
    await jobs.drain()
    const read = { at: '1970-01-01T00:00:00.000Z', list: 1 }
    expect(seen).toEqual([read, undefined, read, undefined])
  })

  it.each([
    ['runs twice', async ({ step }) => void [await step('a', none), await step('a', none)]],
    ['has a result', async ({ step }) => void (await step('a', async () => 1n))],
    ['has 40', async ({ step }) => void (await step('a', async () => 'x'.repeat(40_000)))],
  ] satisfies [string, (delivery: JobDelivery) => Promise<void>][])(
    'rejects a step that %s',
    async (_, look) => {
      const { transport, open, sleep } = building()
      const account = open(transport)
      await account.createTable('queues')
      const errors: unknown[] = []
      const handlers = {
        look: async (_: null, delivery: JobDelivery) => {
          await look(delivery).catch((error) => errors.push(error))
        },
      }
      const jobs = new JobQueue<{ look: null }>({ ...tableQueues(account), handlers, sleep })
      await jobs.send('look', null)
      expect(await jobs.runOnce()).toEqual({ done: 1, failed: 0, dead: 0 })
      expect(errors).toMatchObject([{ code: 'InvalidPatternOption' }])
    },
  )

  it('rejects a queue that does not store a changed message', async () => {
    const { clock, sleep } = building()
    const { queue, deadLetters } = memoryQueues(() => clock.now)
    const received = new Map<string, string>()
    const old: Queue = {
      ...queue,
      async receive(options) {
        const messages = await queue.receive(options)
        for (const { id, text } of messages) received.set(id, text)
        return messages
      },
      extend: (message, visibility) =>
        queue.extend({ ...message, text: received.get(message.id) ?? '' }, visibility),
    }
    const jobs = worker({ queue: old, deadLetters }, sleep, [])
    await jobs.send('order', 1)
    await jobs.drain()
    const [letter] = await deadLetters.receive({ count: 1, visibility: 1_000 })
    expect(letter?.text).toContain('did not store the result of a step')
  })

  it('a job of another program that looks like one with steps is tried five times', async () => {
    const { clock, sleep } = building()
    const queues = memoryQueues(() => clock.now)
    const ran: string[] = []
    const jobs = worker(queues, sleep, ran, async () => {
      throw new Error('never')
    })
    await queues.queue.send('{"kind":"order","since":1e9,"steps":[]}')
    expect(await jobs.drain()).toEqual({ done: 0, failed: 4, dead: 1 })
  })
})

const { clock } = building()
const calls: readonly Call[] = [
  {
    name: 'step',
    async run(name: string, work: () => Promise<void>) {
      let delivered: JobDelivery | undefined
      const own = new JobQueue<{ look: null }>({
        ...memoryQueues(() => clock.now),
        handlers: {
          async look(_, delivery) {
            delivered = delivery
          },
        },
      })
      await own.send('look', null)
      await own.runOnce()
      return delivered?.step(name, work)
    },
    args: ['charge', none],
    valid: [['a text'], ['a function']],
    names: /step/,
  },
]

async function none(): Promise<void> {
  // A step without an effect.
}

it.each(wrongCalls(calls))('rejects %s', (_, wrong) => expectRejected(wrong, []))
