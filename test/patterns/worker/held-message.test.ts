import type { Account } from '@rowkey/mapper'
import { memoryQueue, type Queue, tableQueue, worker } from '@rowkey/patterns'
import { type Sleep, TransportError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { office } from '../employees.ts'

describe('worker', () => {
  /** A queue whose long job ends when the test says so, and whose renewals come when the test says so. */
  function renewing() {
    const clock = { now: 0 }
    const queue = memoryQueue('jobs', { now: () => clock.now })
    const waits: { readonly ms: number; end(): void }[] = []
    let finish = () => {}
    const jobs = worker<{ long: number }>({
      queue: () => queue,
      deadLetters: () => memoryQueue('dead'),
      visibility: 1_000,
      handlers: {
        long: (_, { signal }) =>
          new Promise((resolve, reject) => {
            finish = resolve
            signal.addEventListener('abort', () => reject(signal.reason))
          }),
      },
      renewal: (ms, signal) =>
        new Promise((resolve) => {
          waits.push({ ms, end: resolve })
          signal?.addEventListener('abort', () => resolve())
        }),
    }).on(office().account)
    const turn = () => new Promise((resolve) => setImmediate(resolve))
    return { clock, queue, jobs, waits, turn, finish: () => finish() }
  }

  it('renews a job while its handler runs, so that it runs once', async () => {
    const { clock, queue, jobs, waits, turn, finish } = renewing()
    await jobs.send('long', 1)
    const work = jobs.runOnce()
    for (let renewals = 0; renewals < 5; renewals++) {
      await turn()
      clock.now += 500
      waits.at(-1)?.end()
      await turn()
      expect(await queue.receive({ count: 1, visibility: 1 })).toEqual([])
    }
    finish()
    expect(await work).toEqual({ done: 1, failed: 0, dead: 0 })
    expect(waits.map(({ ms }) => ms)).toEqual([500, 500, 500, 500, 500, 500])
    expect(await jobs.depth()).toMatchObject({ messages: 0 })
  })

  it('a job that takes five times its visibility time runs once, while another worker looks for jobs', async () => {
    const opened = office()
    await opened.account.createTable('queues')
    const attempts: number[] = []
    let finish = () => {}
    const open = (account: Account, renewal: Sleep) =>
      worker<{ long: number }>({
        queue: () => tableQueue(account, 'jobs', { table: 'queues' }),
        deadLetters: () => tableQueue(account, 'dead', { table: 'queues' }),
        visibility: 1_000,
        handlers: {
          async long(_, { attempt }) {
            attempts.push(attempt)
            if (attempts.length > 1) return
            await new Promise<void>((resolve) => {
              finish = resolve
            })
          },
        },
        renewal,
      }).on(account)
    const other = open(opened.rival(), async () => {})
    const found: number[] = []
    const jobs = open(opened.account, async (ms) => {
      opened.now += ms
      found.push((await other.runOnce()).done)
      if (found.length >= 10) finish()
    })
    const sentAt = opened.now
    await jobs.send('long', 1)
    expect(await jobs.runOnce()).toEqual({ done: 1, failed: 0, dead: 0 })
    expect(opened.now - sentAt).toBeGreaterThanOrEqual(5_000)
    expect(found.every((jobsDone) => jobsDone === 0)).toBe(true)
    expect(attempts).toEqual([1])
    expect(await jobs.depth()).toMatchObject({ messages: 0 })
    expect(await jobs.deadLetters()).toEqual([])
  })

  it('aborts the signal of a job that another worker has', async () => {
    const { clock, queue, jobs, waits, turn } = renewing()
    await jobs.send('long', 1)
    const work = jobs.runOnce()
    await turn()
    clock.now += 1_000
    const [taken] = await queue.receive({ count: 1, visibility: 60_000 })
    waits.at(-1)?.end()
    expect(await work).toEqual({ done: 0, failed: 1, dead: 0 })
    expect(taken && (await queue.delete(taken))).toBe(true)
  })

  it('keep returns false for a job that another worker has', async () => {
    const clock = { now: 0 }
    const queue = memoryQueue('jobs', { now: () => clock.now })
    const kept: boolean[] = []
    const jobs = worker<{ any: number }>({
      queue: () => queue,
      deadLetters: () => memoryQueue('dead'),
      visibility: 1_000,
      handlers: {
        async any(_, { keep }) {
          clock.now += 1_000
          await queue.receive({ count: 1, visibility: 60_000 })
          kept.push(await keep())
        },
      },
    }).on(office().account)
    await jobs.send('any', 1)
    await jobs.runOnce()
    expect(kept).toEqual([false])
  })

  it.each(['keeps', 'loses'])(
    'keeps a job, and deletes it, while a renewal is pending that %s it',
    async (how) => {
      const own = memoryQueue('jobs')
      let answer = () => {}
      let finish = () => {}
      let renew = () => {}
      let renewals = 0
      const kept: boolean[] = []
      const slow: Queue = {
        ...own,
        async extend(message, visibility) {
          if (renewals++ > 0) return own.extend(message, visibility)
          const renewed = how === 'keeps' ? await own.extend(message, visibility) : undefined
          await new Promise<void>((resolve) => {
            answer = resolve
          })
          if (renewed === undefined)
            throw new TransportError({ message: 'Lost.', mayHaveApplied: true })
          return renewed
        },
      }
      const jobs = worker<{ long: number }>({
        queue: () => slow,
        deadLetters: () => memoryQueue('dead'),
        handlers: {
          async long(_, { keep }) {
            await new Promise<void>((resolve) => {
              finish = resolve
            })
            kept.push(await keep())
          },
        },
        renewal: (_, signal) =>
          new Promise((resolve) => {
            renew = resolve
            signal?.addEventListener('abort', () => resolve())
          }),
      }).on(office().account)
      const turn = () => new Promise((resolve) => setImmediate(resolve))
      await jobs.send('long', 1)
      const work = jobs.runOnce()
      await turn()
      renew()
      await turn()
      finish()
      await turn()
      answer()
      expect(await work).toEqual({ done: 1, failed: 0, dead: 0 })
      expect(kept).toEqual([true])
      expect((await own.depth()).messages).toBe(0)
    },
  )

  it('aborts the signal of a job whose worker has stopped before', async () => {
    const seen: unknown[] = []
    const jobs = worker<{ any: number }>({
      queue: () => memoryQueue('jobs'),
      deadLetters: () => memoryQueue('dead'),
      handlers: {
        async any(_, { signal }) {
          seen.push(signal.aborted, signal.reason)
        },
      },
    }).on(office().account)
    await jobs.send('any', 1)
    await jobs.runOnce(AbortSignal.abort('enough'))
    expect(seen).toEqual([true, 'enough'])
  })

  it('aborts the signal of a job with that of runOnce', async () => {
    const stop = new AbortController()
    const seen: unknown[] = []
    const jobs = worker<{ any: number }>({
      queue: () => memoryQueue('jobs'),
      deadLetters: () => memoryQueue('dead'),
      handlers: {
        async any(_, { signal }) {
          stop.abort('enough')
          seen.push(signal.aborted, signal.reason)
        },
      },
    }).on(office().account)
    await jobs.send('any', 1)
    await jobs.runOnce(stop.signal)
    expect(seen).toEqual([true, 'enough'])
  })

  it('keeps a long job for its worker', async () => {
    const clock = { now: 0 }
    const queue = memoryQueue('jobs', { now: () => clock.now })
    const kept: boolean[] = []
    const jobs = worker<{ long: number }>({
      queue: () => queue,
      deadLetters: () => memoryQueue('dead'),
      visibility: 1_000,
      handlers: {
        async long(_, { keep }) {
          clock.now += 900
          kept.push(await keep())
          clock.now += 900
          kept.push((await queue.receive({ count: 1, visibility: 1 })).length === 0)
        },
      },
    }).on(office().account)
    await jobs.send('long', 1)
    expect(await jobs.runOnce()).toEqual({ done: 1, failed: 0, dead: 0 })
    expect(kept).toEqual([true, true])
    expect(await jobs.depth()).toMatchObject({ messages: 0 })
  })
})
