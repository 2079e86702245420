import { memoryQueue, type Queue, tableQueue, worker } from '@rowkey/patterns'
import { TransportError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { office } from '../employees.ts'
import { failing } from './failing-jobs.ts'

describe('worker', () => {
  it('R-148: moves a job that always fails to the dead letters, and sends it again on request', async () => {
    const { jobs } = failing()
    await jobs.send('fail', 4)
    expect(await jobs.drain()).toEqual({ done: 0, failed: 2, dead: 1 })
    expect(await jobs.deadLetters()).toEqual([
      { id: '1', kind: 'fail', payload: 4, attempts: 3, reason: 'TypeError: failed 3' },
    ])
    expect(await jobs.retryDead()).toBe(1)
    expect(await jobs.deadLetters()).toEqual([])
    expect(await jobs.depth()).toMatchObject({ messages: 1 })
  })

  it('a dead letter tells where it comes from and why', async () => {
    const dead = memoryQueue('dead')
    const jobs = worker<{ fail: number }>({
      queue: () => memoryQueue('jobs'),
      deadLetters: () => dead,
      attempts: 1,
      handlers: {
        fail: async () => {
          throw new TypeError('no luck')
        },
      },
    }).on(office().account)
    await jobs.send('fail', 1)
    await jobs.runOnce()
    const [letter] = await dead.receive({ count: 1, visibility: 1 })
    expect(JSON.parse(letter?.text ?? '')).toEqual({
      from: 'jobs',
      id: '1',
      attempts: 1,
      reason: 'TypeError: no luck',
      job: '{"kind":"fail","payload":1}',
    })
  })

  it('a job is in one of its two queues at least, also when the other one fails', async () => {
    const opened = office()
    const { account } = opened
    const now = () => opened.now
    const [queue, dead] = [memoryQueue('jobs', { now }), memoryQueue('dead', { now })]
    let broken: Queue | undefined
    const failingIf = (own: Queue): Queue => ({
      ...own,
      async send(...call) {
        if (broken === own) throw new TransportError({ message: 'Lost.', mayHaveApplied: true })
        await own.send(...call)
      },
    })
    const work = worker<{ fail: number }>({
      queue: () => failingIf(queue),
      deadLetters: () => failingIf(dead),
      attempts: 1,
      handlers: {
        fail: async () => {
          throw new TypeError('no luck')
        },
      },
    })
    const jobs = work.on(account)
    await jobs.send('fail', 1)
    broken = dead
    await expect(jobs.runOnce()).rejects.toThrow('Lost.')
    expect((await queue.depth()).messages).toBe(1)
    broken = undefined
    const again = worker({
      queue: () => queue,
      deadLetters: () => dead,
      attempts: 1,
    }).on(account)
    await again.drain()
    broken = queue
    await expect(jobs.retryDead()).rejects.toThrow('Lost.')
    expect((await dead.depth()).messages).toBe(1)
  })

  it('a job of the longest text becomes a dead letter, too, and can be sent again', async () => {
    const { account } = office()
    await account.createTable('queues')
    const [queue, deadLetters] = ['jobs', 'dead'].map((name) =>
      tableQueue(account, name, { table: 'queues' }),
    ) as [Queue, Queue]
    const seen: number[] = []
    const jobs = worker<{ long: string }>({
      queue: () => queue,
      deadLetters: () => deadLetters,
      attempts: 1,
      handlers: {
        long: async ({ length }) => {
          seen.push(length)
          if (seen.length === 1) throw new TypeError('no luck'.repeat(10_000))
        },
      },
    }).on(account)
    await jobs.send('long', 'x'.repeat(31_900))
    expect(await jobs.runOnce()).toEqual({ done: 0, failed: 0, dead: 1 })
    expect(await jobs.retryDead()).toBe(1)
    expect(await jobs.runOnce()).toEqual({ done: 1, failed: 0, dead: 0 })
    expect(seen).toEqual([31_900, 31_900])
  })

  it('a dead letter whose response was lost keeps its reason', async () => {
    const { account, over } = office()
    await account.createTable('queues')
    let isLost = false
    const losing = over((service) => async (request, limits) => {
      const response = await service(request, limits)
      if (isLost || !String(request.body).includes('no luck')) return response
      isLost = true
      throw new TransportError({ message: 'The response was lost.', mayHaveApplied: true })
    })
    const [queue, deadLetters] = ['jobs', 'dead'].map((name) =>
      tableQueue(losing, name, { table: 'queues' }),
    ) as [Queue, Queue]
    const fail = async () => {
      throw new TypeError('no luck')
    }
    const jobs = worker<{ fail: number }>({
      queue: () => queue,
      deadLetters: () => deadLetters,
      attempts: 1,
      handlers: { fail },
    }).on(losing)
    await jobs.send('fail', 1)
    expect(await jobs.runOnce()).toEqual({ done: 0, failed: 0, dead: 1 })
    const letters = await deadLetters.receive({ count: 32, visibility: 1 })
    expect(isLost).toBe(true)
    for (const { text } of letters) expect(text).toContain('no luck')
  })

  it('a job whose workers all died becomes a dead letter', async () => {
    const clock = { now: 0 }
    const queue = memoryQueue('jobs', { now: () => clock.now })
    const jobs = worker<{ fail: number }>({
      queue: () => queue,
      deadLetters: () => memoryQueue('dead'),
      attempts: 2,
      handlers: { fail: async () => {} },
    }).on(office().account)
    await jobs.send('fail', 0)
    for (let worker = 0; worker < 2; worker++) {
      await queue.receive({ count: 1, visibility: 1_000 })
      clock.now += 1_000
    }
    expect(await jobs.runOnce()).toEqual({ done: 0, failed: 0, dead: 1 })
  })

  it('an unknown kind and an unreadable text become dead letters', async () => {
    const clock = { now: 0 }
    const queue = memoryQueue('jobs', { now: () => clock.now })
    const jobs = worker<{ known: number }>({
      queue: () => queue,
      deadLetters: () => memoryQueue('dead'),
      attempts: 1,
      handlers: { known: async () => {} },
    }).on(office().account)
    await queue.send('{"kind":"toString"}')
    await queue.send('not JSON')
    expect(await jobs.runOnce()).toEqual({ done: 0, failed: 0, dead: 2 })
    await expect(jobs.send('other' as 'known', 1)).rejects.toMatchObject({
      code: 'InvalidPatternOption',
    })
  })
})
