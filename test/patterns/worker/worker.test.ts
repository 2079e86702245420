import { getEventListeners } from 'node:events'
import { localTableService } from '@rowkey/local'
import { Account } from '@rowkey/mapper'
import { memoryQueue, type Queue, storageQueue, tableQueue, worker } from '@rowkey/patterns'
import { noRetry, type Sleep, type Transport, TransportError, tableService } from '@rowkey/rest'
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
  /** A queue of jobs that fail as often as their payload says. */
  function failing(attempts = 3) {
    const clock = office()
    const now = () => clock.now
    const begun = clock.now
    const seen: [attempt: number, at: number][] = []
    const jobs = worker<{ fail: number }>({
      queue: () => memoryQueue('jobs', { now }),
      deadLetters: () => memoryQueue('dead', { now }),
      attempts,
      handlers: {
        async fail(times, { attempt }) {
          seen.push([attempt, clock.now - begun])
          if (attempt <= times) throw new TypeError(`failed ${attempt}`)
        },
      },
    }).on(clock.account)
    return { jobs, seen }
  }

  it('tries a failed job again, after 1 s, 2 s and so on', async () => {
    const { jobs, seen } = failing()
    await jobs.send('fail', 2)
    expect(await jobs.drain()).toEqual({ done: 1, failed: 2, dead: 0 })
    expect(seen).toEqual([
      [1, 0],
      [2, 1_000],
      [3, 3_000],
    ])
  })

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

  it('rejects a payload that JSON cannot hold, and a delay that is not a number from 0', async () => {
    const jobs = worker<{ any: unknown }>({
      queue: () => memoryQueue('jobs'),
      deadLetters: () => memoryQueue('dead'),
      handlers: { any: async () => {} },
    }).on(office().account)
    const invalid = { code: 'InvalidPatternOption' }
    for (const payload of [{ id: 5n }, 5n, undefined, () => 1, Symbol('id')]) {
      await expect(jobs.send('any', payload)).rejects.toMatchObject(invalid)
    }
    for (const delay of [Number.NaN, Number.POSITIVE_INFINITY, -1]) {
      await expect(jobs.send('any', 1, delay)).rejects.toMatchObject(invalid)
    }
    expect(await jobs.depth()).toMatchObject({ messages: 0 })
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

  it('passes the delay and the options of send to its queue', async () => {
    const given: unknown[] = []
    const queue: Queue = {
      ...memoryQueue('jobs'),
      send: async (_, ...rest) => void given.push(rest),
    }
    const jobs = worker<{ any: number }>({
      queue: () => queue,
      deadLetters: () => memoryQueue('dead'),
      handlers: { any: async () => {} },
    }).on(office().account)
    const options = { timeout: 1_234 }
    await jobs.send('any', 1, 500, options)
    expect(given).toEqual([[500, options]])
  })

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

describe('a worker of several accounts', () => {
  it('opens each queue once for its account, and rejects one queue for two accounts', () => {
    const { transport, connectionString } = localTableService({
      accounts: ['one', 'two'].map((name) => ({ name, key: 'a2V5' })),
    })
    const open = (name: string) =>
      new Account(tableService({ connectionString: connectionString(name), transport }))
    const [one, two] = [open('one'), open('two')]
    const opened: Account[] = []
    const own = worker({
      queue: (account) => {
        opened.push(account)
        return tableQueue(account, 'jobs', { table: 'queues' })
      },
      deadLetters: () => memoryQueue('dead'),
    })
    for (const account of [one, two, one]) own.on(account)
    expect(opened).toEqual([one, two])
    const queue = memoryQueue('jobs')
    const shared = worker({ queue: () => queue, deadLetters: () => memoryQueue('dead') })
    shared.on(one)
    expect(shared.on(open('one'))).toBeDefined()
    expect(() => shared.on(two)).toThrow(/queue jobs carries the jobs of the account one/)
  })

  it('rejects kinds that are reserved for declarations', () => {
    const handlers = { '~mail': async () => {} }
    const queue = () => memoryQueue('jobs')
    expect(() => worker({ queue, deadLetters: queue, handlers })).toThrow(/must not begin with ~/)
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
