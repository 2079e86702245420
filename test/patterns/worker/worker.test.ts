import { getEventListeners } from 'node:events'
import { localTableService } from '@rowkey/local'
import { Account } from '@rowkey/mapper'
import { memoryQueue, type Queue, storageQueue, tableQueue, worker } from '@rowkey/patterns'
import { noRetry, type Transport, tableService } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { defineEmployee, jones, office } from '../employees.ts'
import { mortal } from '../mortal-programs.ts'

interface Archiving {
  archive: { department: string; id: number }
}

const Employee = defineEmployee()

/** A program that archives employees, as the design guide describes it. */
function program(account: Account) {
  const current = account.table(Employee, 'current')
  const archive = account.table(Employee, 'archive')
  const jobs = worker<Archiving>({
    queue: () => tableQueue(account, 'jobs', { table: 'queues' }),
    deadLetters: () => tableQueue(account, 'dead', { table: 'queues' }),
    handlers: {
      archive: async (target) => {
        const employee = await current.find(target)
        if (employee === undefined) return // an earlier delivery moved it
        await archive.insertOrReplace({ ...employee })
        await current.delete(employee) // by its ETag: after a change, the job starts again
      },
    },
  }).on(account)
  return { current, archive, jobs }
}

/** An account whose process ends with one of its requests, before or after the service gets it. */
function ending(dies: 'before' | 'after', at: number) {
  const { transport, connectionString } = localTableService()
  const clock = { now: 1_000_000 }
  const sleep = async (ms: number) => {
    clock.now += ms
  }
  const { step, hasDied } = mortal(at, dies)
  const dying: Transport = (request, limits) => step(() => transport(request, limits))
  const open = (through: Transport) =>
    new Account(
      tableService({
        connectionString: connectionString(),
        transport: through,
        retry: noRetry,
        now: () => clock.now,
        sleep,
      }),
    )
  return { dying: open(dying), next: open(transport), isDead: hasDied }
}

describe('the archive sample', () => {
  it.each(['before', 'after'] as const)(
    'R-148, R-150: ends right when the worker ends %s each of its requests',
    async (dies) => {
      const deaths: number[] = []
      for (let at = 1; at < 50; at++) {
        const { dying, next, isDead } = ending(dies, at)
        const { current, archive, jobs } = program(next)
        for (const name of ['current', 'archive', 'queues']) await next.createTable(name)
        await current.insert({ ...jones })
        await jobs.send('archive', { department: 'Sales', id: 223 })
        await program(dying)
          .jobs.runOnce()
          .catch(() => undefined)
        const died = isDead()
        await jobs.drain()
        expect(await current.find({ department: 'Sales', id: 223 })).toBeUndefined()
        expect((await archive.get({ department: 'Sales', id: 223 })).lastName).toBe('Jones')
        expect(await jobs.deadLetters()).toEqual([])
        if (!died) break
        deaths.push(at)
      }
      // Look at the queue (2 pages), hide the message, read, copy, delete, delete the message.
      expect(deaths).toEqual([1, 2, 3, 4, 5, 6, 7])
    },
  )

  it('R-148: archives each of 50 employees once, with three workers', async () => {
    const { account, rival } = office()
    const { current, archive, jobs } = program(account)
    for (const name of ['current', 'archive', 'queues']) await account.createTable(name)
    await current.bulk().insert(Array.from({ length: 50 }, (_, id) => ({ ...jones, id })))
    for (let id = 0; id < 50; id++) await jobs.send('archive', { department: 'Sales', id })
    const workers = [account, rival(), rival()].map((each) => program(each).jobs)
    const tallies = await Promise.all(workers.map((worker) => worker.drain()))
    expect(tallies.reduce((sum, { done }) => sum + done, 0)).toBe(50)
    expect(await archive.query().where({ department: 'Sales' }).count()).toBe(50)
    expect(await current.query().where({ department: 'Sales' }).count()).toBe(0)
  })
})

describe('worker', () => {
  it('jobs share one listener of the signal of their worker, which ends with the last of them', async () => {
    const stop = new AbortController()
    const listeners = () => getEventListeners(stop.signal, 'abort').length
    const found: number[] = []
    const jobs = worker<{ wait: number }>({
      queue: () => memoryQueue('jobs'),
      deadLetters: () => memoryQueue('dead'),
      handlers: {
        async wait(number, { signal }) {
          found.push(listeners())
          if (number === 2) stop.abort('stopped')
          if (signal.aborted) throw signal.reason
        },
      },
    }).on(office().account)
    for (const number of [1, 2]) await jobs.send('wait', number)
    expect(await jobs.runOnce(stop.signal)).toEqual({ done: 1, failed: 1, dead: 0 })
    expect(found).toEqual([1, 1])
    expect(listeners()).toBe(0)
  })

  it('a job that another worker has by now gets no dead letter of this worker', async () => {
    const clock = { now: 0 }
    const queue = memoryQueue('jobs', { now: () => clock.now })
    const jobs = worker<{ fail: number }>({
      queue: () => queue,
      deadLetters: () => memoryQueue('dead'),
      attempts: 1,
      visibility: 1_000,
      handlers: {
        async fail() {
          clock.now += 1_000
          await queue.receive({ count: 1, visibility: 60_000 })
          throw new TypeError('too late')
        },
      },
    }).on(office().account)
    await jobs.send('fail', 1)
    expect(await jobs.runOnce()).toEqual({ done: 0, failed: 1, dead: 0 })
    expect(await jobs.deadLetters()).toEqual([])
  })

  it('run ends with its signal, and looks at an empty queue more and more rarely until it has a job', async () => {
    const stop = new AbortController()
    const waits: number[] = []
    const { transport, connectionString } = localTableService()
    const service = tableService({
      connectionString: connectionString(),
      transport,
      sleep: async (ms) => {
        waits.push(ms)
        if (waits.length === 9) await jobs.send('any', 1)
        if (waits.length === 11) stop.abort()
      },
    })
    const jobs = worker<{ any: number }>({
      queue: () => memoryQueue('jobs'),
      deadLetters: () => memoryQueue('dead'),
      handlers: { any: async () => {} },
    }).on(new Account(service))
    await jobs.run(stop.signal)
    const idle = [100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000]
    expect(waits).toEqual([...idle, 100, 200])
  })

  it('rejects its own queue for the dead letters, which it would try again for ever', () => {
    const queue = memoryQueue('jobs')
    const { account } = office()
    const rows = () => tableQueue(account, 'jobs', { table: 'queues' })
    const uncalled = () => Promise.reject(new Error('nothing is sent'))
    let clients = 0
    const service = () =>
      storageQueue({
        name: 'jobs',
        url: `https://contoso.queue.core.windows.net/jobs?sig=${++clients}`,
        sendMessage: uncalled,
        receiveMessages: uncalled,
        peekMessages: uncalled,
        updateMessage: uncalled,
        deleteMessage: uncalled,
        getProperties: uncalled,
      })
    for (const make of [() => queue, rows, service]) {
      const [jobs, deadLetters] = [make(), make()]
      expect(() =>
        worker({ queue: () => jobs, deadLetters: () => deadLetters, handlers: {} }).on(account),
      ).toThrow(/must be another queue/)
    }
    const elsewhere = tableQueue(account, 'jobs', { table: 'dead' })
    expect(
      worker({ queue: () => rows(), deadLetters: () => elsewhere, handlers: {} }).on(account),
    ).toBeDefined()
  })

  it.each([
    ['attempts', { attempts: 0 }],
    ['visibility', { visibility: 1.5 }],
    ['concurrency', { concurrency: -1 }],
  ])('rejects invalid %s', (_, options) => {
    const make = () =>
      worker({
        queue: () => memoryQueue('jobs'),
        deadLetters: () => memoryQueue('dead'),
        handlers: {},
        ...options,
      }).on(office().account)
    expect(make).toThrow(/whole number from 1/)
  })
})

describe('a queue that fails for one job', () => {
  it('rejects after the other jobs in hand have ended', async () => {
    const queue = memoryQueue('jobs')
    const failing: Queue = {
      ...queue,
      delete: async (message) => {
        if (message.text.includes('first')) throw new RangeError('the queue is away')
        return queue.delete(message)
      },
    }
    const done: string[] = []
    const jobs = worker<{ mail: string }>({
      queue: () => failing,
      deadLetters: () => memoryQueue('dead'),
      handlers: {
        mail: async (name) => {
          if (name === 'second') await new Promise(setImmediate)
          done.push(name)
        },
      },
    }).on(office().account)
    await jobs.send('mail', 'first')
    await jobs.send('mail', 'second')
    await expect(jobs.runOnce()).rejects.toThrow(RangeError)
    expect(done).toEqual(['first', 'second'])
    expect(await queue.depth()).toMatchObject({ messages: 1 })
  })
})
