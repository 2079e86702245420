import { localTableService } from '@rowkey/local'
import {
  type AttemptLimits,
  type HttpRequest,
  linearRetry,
  noRetry,
  TableAlreadyExistsError,
  TableNotFoundError,
} from '@rowkey/rest'
import { connect, OperationContext } from 'rowkey'
import { describe, expect, it } from 'vitest'

/** An account whose requests are seen, with what each may take. */
function seen(settings: object = {}) {
  const local = localTableService()
  const sent: { request: HttpRequest; limits: AttemptLimits | undefined }[] = []
  const account = connect(local.connectionString(), {
    transport: (request, limits) => {
      sent.push({ request, limits })
      return local.transport(request, limits)
    },
    ...settings,
  })
  return { local, account, sent }
}

describe('an account', () => {
  it('R-87: lists tables, reads and sets properties, and reads statistics', async () => {
    const { account } = seen()
    for (const name of ['alpha', 'beta', 'alphabet']) await account.createTable(name)
    const names: string[] = []
    for await (const name of account.tables({ prefix: 'alpha' })) names.push(name)
    expect(names).toEqual(['alpha', 'alphabet'])
    const hourMetrics = { enabled: true, includeApis: true, retentionDays: 7 }
    await account.properties.set({ hourMetrics })
    expect(await account.properties.get()).toMatchObject({ hourMetrics })
    expect(await account.statistics()).toMatchObject({ status: 'live' })
  })

  it('R-87: creates a table if it does not exist, and drops it if it exists', async () => {
    const people = seen().account.table('people')
    expect(await people.createIfNotExists()).toBe(true)
    expect(await people.createIfNotExists()).toBe(false)
    await expect(people.create()).rejects.toThrow(TableAlreadyExistsError)
    expect(await people.dropIfExists()).toBe(true)
    expect(await people.dropIfExists()).toBe(false)
    await expect(people.drop()).rejects.toThrow(TableNotFoundError)
  })

  it('R-87: has a timeout and a retry policy for each call without its own', async () => {
    const waits: number[] = []
    const { account, sent } = seen({
      timeout: 1_234,
      retry: linearRetry({ attempts: 3, delay: 50 }),
      sleep: async (ms: number) => void waits.push(ms),
      transport: async (request: HttpRequest, limits: AttemptLimits) => {
        sent.push({ request, limits })
        return { status: 503, headers: {}, body: '{"odata.error":{"code":"ServerBusy"}}' }
      },
    })
    const people = account.table('people')
    await expect(people.get(['a', 'b'])).rejects.toMatchObject({ attempts: 3 })
    expect(sent.map(({ limits }) => limits?.timeout)).toEqual([1_234, 1_234, 1_234])
    expect(waits).toHaveLength(2)
    const own = { timeout: 99, retry: noRetry }
    await expect(people.get(['a', 'b'], own)).rejects.toMatchObject({ attempts: 1 })
    expect(sent.at(-1)?.limits?.timeout).toBe(99)
  })
})

describe('the requests of a call', () => {
  it('R-106: are counted by a context, for each method', async () => {
    const { account, sent } = seen()
    const people = account.table('people')
    const row = (rowKey: string) => ({ partitionKey: 'a', rowKey, n: 1 })
    const calls: readonly [number, (context: OperationContext) => PromiseLike<unknown>][] = [
      [1, (context) => people.create({ context })],
      [1, (context) => people.insert(row('1'), { context })],
      [1, (context) => people.insertOrMerge(row('2'), { context })],
      [1, (context) => people.find(['a', '1'], { context })],
      [2, (context) => people.modify(['a', '1'], (one) => void one.set('n', 2), { context })],
      [
        2,
        (context) =>
          people.getMany(
            [
              ['a', '1'],
              ['a', '2'],
            ],
            { context },
          ),
      ],
      [1, (context) => people.batch().insert(row('3')).insert(row('4')).submit({ context })],
      [
        2,
        (context) =>
          people
            .query()
            .where({ partitionKey: 'a' } as never)
            .pageSize(2)
            .toArray({ context }),
      ],
      [1, (context) => people.delete(['a', '1'], { etag: '*', context })],
      [1, (context) => people.drop({ context })],
    ]
    for (const [count, call] of calls) {
      const context = new OperationContext()
      sent.length = 0
      await call(context)
      expect([String(call), context.attempts.length, sent.length]).toEqual([
        String(call),
        count,
        count,
      ])
    }
  })

  it('R-106: are made by methods that return a promise or are iterated, and by no other', () => {
    const { account, sent } = seen()
    const people = account.table('people')
    const query = people.query().where({ partitionKey: 'a' } as never)
    const made: readonly object[] = [
      people,
      query.select('n').take(5).pageSize(2).allowPartitionScan(),
      query.explain(),
      people.batch().insert({ partitionKey: 'a', rowKey: '1' }),
      people.bulk(),
      account.tables(),
    ]
    expect(made.filter((value) => value instanceof Promise)).toEqual([])
    expect(sent).toEqual([])
  })
})
