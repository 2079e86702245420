import { localTableService } from '@rowkey/local'
import { Account } from '@rowkey/mapper'
import { memoryQueue, type Queue, tableQueue, worker } from '@rowkey/patterns'
import { tableService } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { office } from '../employees.ts'

describe('worker', () => {
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
