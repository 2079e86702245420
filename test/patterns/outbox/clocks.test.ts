import { localTableService, seededRandom } from '@rowkey/local'
import { Account, defineEntity, key } from '@rowkey/mapper'
import { declareOutbox, tableQueue, worker } from '@rowkey/patterns'
import { tableService } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { longTest } from '../../support/cases-to-play.ts'

const TEN_MINUTES = 600_000
const MESSAGES = Array.from({ length: 30 }, (_, n) => `message ${n}`)

/** Processes whose clocks differ from that of the service, and from that of the queue of their jobs. */
async function processes(skews: readonly number[], random: () => number) {
  const clock = { now: 1_000_000_000_000 }
  const { transport, connectionString } = localTableService({ now: () => clock.now })
  const sleep = async (ms: number) => {
    clock.now += ms
  }
  const open = (skew: number) => {
    const now = () => clock.now + skew
    return new Account(
      tableService({ connectionString: connectionString(), transport, now, random, sleep }),
    )
  }
  const exact = open(0)
  await exact.createTable('orders')
  await exact.createTable('queues')
  const handled: string[] = []
  /** How often each message is to fail. */
  const failures = new Map<string, number>()
  const workers = skews.map((skew) => {
    const handle = async (message: string) => {
      const left = failures.get(message) ?? 0
      failures.set(message, left - 1)
      if (left > 0) throw new Error('not yet')
      handled.push(message)
    }
    const work = worker({
      queue: () => tableQueue(exact, 'jobs', { table: 'queues' }),
      deadLetters: () => tableQueue(exact, 'dead', { table: 'queues' }),
    })
    const model = defineEntity({
      name: 'orders',
      partitionKey: key`${'customer'}`,
      rowKey: key`order_${'id'}`,
      schema: z.object({ customer: z.string(), id: z.string() }),
    })
    const messages = (): readonly string[] => []
    const account = open(skew)
    const orders = declareOutbox(model, { messages, handle, worker: work }).on(account)
    const jobs = work.on(account)
    return { orders, jobs }
  })
  const pick = () => workers[Math.floor(random() * workers.length)] as (typeof workers)[number]
  return { pick, handled, failures, sleep }
}

describe('an outbox of processes whose clocks are 20 minutes apart', () => {
  longTest.each([1, 3, 6])('hands on each message once and in order: seed %i', async (seed) => {
    const random = seededRandom(seed)
    const skews = [0, TEN_MINUTES, -TEN_MINUTES]
    const { pick, handled, failures, sleep } = await processes(skews, random)
    for (const message of MESSAGES) {
      if (random() < 0.2) failures.set(message, 1 + Math.floor(random() * 2))
      await pick().orders.send({ customer: 'jones' }, message)
      if (random() < 0.3) await pick().jobs.runOnce()
    }
    for (let round = 0; round < 3_000 && handled.length < MESSAGES.length; round++) {
      await pick().jobs.runOnce()
      await sleep(5_000)
    }
    expect(handled).toEqual(MESSAGES)
  })
})

it('an outbox takes a clock that shows parts of a millisecond', async () => {
  const { pick, handled, failures, sleep } = await processes([0.25], () => 0.5)
  failures.set('message 0', 1)
  await pick().orders.send({ customer: 'jones' }, 'message 0')
  await pick().jobs.drain()
  await sleep(2_000)
  await pick().jobs.drain()
  expect(handled).toEqual(['message 0'])
})
