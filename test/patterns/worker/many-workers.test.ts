import { setImmediate } from 'node:timers/promises'
import { localTableService } from '@rowkey/local'
import { Account } from '@rowkey/mapper'
import { memoryQueue, type Queue, tableQueue, worker } from '@rowkey/patterns'
import { noRetry, type Transport, tableService } from '@rowkey/rest'
import { describe, expect } from 'vitest'
import { longTest } from '../../support/cases-to-play.ts'
import { office } from '../employees.ts'

/** Opens one queue again and again, each time as another program has it, and counts their requests, which take random times. */
async function openings() {
  const { transport, connectionString } = localTableService()
  let state = 1
  const random = () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
  const pass = async () => {
    for (let turns = Math.floor(random() * 8); turns >= 0; turns--) await setImmediate()
  }
  let requests = 0
  const counting: Transport = async (request, limits) => {
    requests++
    await pass()
    const response = await transport(request, limits)
    await pass()
    return response
  }
  let id = 0
  const newId = () => String(++id).padStart(6, '0')
  const account = () =>
    new Account(
      tableService({
        connectionString: connectionString(),
        transport: counting,
        retry: noRetry,
        now: () => 1_000_000,
        random,
        newId,
      }),
    )
  await account().createTable('queues')
  return {
    open: () => tableQueue(account(), 'jobs', { table: 'queues' }),
    async requestsOf(work: () => Promise<unknown>): Promise<number> {
      requests = 0
      await work()
      return requests
    },
  }
}

/** Does jobs of a queue until the workers have done all of them. */
async function work(queue: Queue, count: number, done: string[]): Promise<void> {
  const jobs = worker<{ any: string }>({
    queue: () => queue,
    deadLetters: () => memoryQueue('dead'),
    handlers: { any: async (name) => void done.push(name) },
  }).on(office().account)
  while (done.length < count) await jobs.runOnce()
}

describe('32 workers at one tableQueue', () => {
  longTest.each([
    ['of as many programs', 200, 2.75],
    ['of one program', 200, 1.3],
    ['of as many programs', 2_000, 1.75],
    ['of one program', 2_000, 1.25],
  ] as const)(
    '%s do %i jobs, each once, by fewer than %d requests each',
    async (programs, count, most) => {
      const { open, requestsOf } = await openings()
      const first = open()
      const names = Array.from({ length: count }, (_, at) => String(at))
      for (const name of names) await first.send(JSON.stringify({ kind: 'any', payload: name }))
      const queues = Array.from({ length: 32 }, programs === 'of one program' ? () => first : open)
      const done: string[] = []
      const requests = await requestsOf(() =>
        Promise.all(queues.map((each) => work(each, count, done))),
      )
      expect(done.toSorted()).toEqual(names.toSorted())
      expect(requests / count).toBeLessThan(most)
    },
  )
})

describe('one worker at a tableQueue', () => {
  longTest('does the jobs in their order, by 1.25 requests each', async () => {
    const { open, requestsOf } = await openings()
    const queue = open()
    const names = Array.from({ length: 200 }, (_, at) => String(at))
    for (const name of names) await queue.send(JSON.stringify({ kind: 'any', payload: name }))
    const done: string[] = []
    // 25 looks and transactions for 8 jobs each, and 200 deletes.
    expect(await requestsOf(() => work(queue, 200, done))).toBe(250)
    expect(done).toEqual(names)
  })
})
