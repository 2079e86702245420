import { localTableService } from '@rowkey/local'
import { Account } from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import { BudgetError, type CallOptions, tableService } from '@rowkey/rest'
import { expect, it } from 'vitest'

const ROWS = 50

/** A table of 50 rows, and its requests. */
async function peopleOf(accountOptions: object = {}) {
  const local = localTableService()
  const options = { connectionString: local.connectionString() }
  let requests = 0
  const transport: typeof local.transport = (request, limits) => {
    requests++
    return local.transport(request, limits)
  }
  const rival = new Account(tableService({ ...options, transport: local.transport })).table(
    'people',
  )
  await rival.create()
  const rows = Array.from(
    { length: ROWS },
    (_, n) => new DynamicEntity('p', String(n).padStart(2, '0'), { n }),
  )
  await rival.bulk().insert(rows)
  const account = new Account(tableService({ ...options, transport }), accountOptions)
  return { people: account.table('people'), sent: () => requests }
}

const budget = { requests: 3 }
const budgetErrorOf = async (run: Promise<unknown>): Promise<BudgetError> => {
  const error = await run.catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(BudgetError)
  return error as BudgetError
}

it.each([true, false])(
  'a scan stops at its budget, and goes on at the token (prefetch: %s)',
  async (ahead) => {
    const { people, sent } = await peopleOf()
    const query = people.query().where({ partitionKey: 'p' }).pageSize(7).prefetch(ahead)
    const seen: unknown[] = []
    const scan = async (options: CallOptions) => {
      for await (const row of query.rows(options)) seen.push(row.rowKey)
    }
    const { continuationToken, requests } = await budgetErrorOf(scan({ budget }))
    expect([seen.length, requests, sent()]).toEqual([21, 3, 3])
    for await (const { items } of query.byPage({ continuationToken })) {
      for (const row of items) seen.push(row.rowKey)
    }
    expect(new Set(seen).size).toBe(ROWS)
    expect(seen).toHaveLength(ROWS)
  },
)

it('pages and handlers stop at their budget, and go on at the token', async () => {
  const { people } = await peopleOf()
  const query = people.query().where({ partitionKey: 'p' }).pageSize(7)
  const seen: unknown[] = []
  let token: string | undefined
  for (;;) {
    try {
      for await (const { items } of query.byPage({ budget, continuationToken: token })) {
        for (const row of items) seen.push(row.rowKey)
      }
      break
    } catch (error) {
      token = (error as BudgetError).continuationToken
      expect(token).toBeDefined()
    }
  }
  expect(new Set(seen).size).toBe(seen.length)
  expect(seen).toHaveLength(ROWS)
  const handled: unknown[] = []
  const each = query.forEach(async (row) => void handled.push(row.rowKey), { budget })
  const { continuationToken } = await budgetErrorOf(each)
  expect(handled).toHaveLength(21)
  const { value } = await query.byPage({ continuationToken }).next()
  expect(value?.items[0]?.rowKey).toBe('21')
})

it('a page begins anew, and a call that loses its rows has no token', async () => {
  const { people } = await peopleOf()
  const query = people.query().where({ partitionKey: 'p' }).pageSize(7)
  const { next } = await query.page({ size: 7 })
  const late = await budgetErrorOf(query.page({ size: 40, token: next, budget }))
  expect(late.continuationToken).toBe(next)
  expect((await budgetErrorOf(query.page({ size: 40, budget }))).continuationToken).toBeUndefined()
  expect((await budgetErrorOf(query.toArray({ budget }))).continuationToken).toBeUndefined()
  expect((await budgetErrorOf(query.count({ budget }))).continuationToken).toBeUndefined()
})

it('a scan that stops before its first page goes on at its start', async () => {
  const { people } = await peopleOf()
  const query = people.query().where({ partitionKey: 'p' })
  await people.parts.service.call({ budget: { requests: 1 } }, 'scan', async (call) => {
    await people.get(['p', '01'], call.options)
    const rows = (async () => {
      for await (const _ of query.rows(call.options)) expect.unreachable()
    })()
    expect((await budgetErrorOf(rows)).continuationToken).toBeUndefined()
  })
})

it('a bulk write ends at its budget, and sends nothing more', async () => {
  const { people, sent } = await peopleOf()
  const rows = Array.from({ length: 40 }, (_, n) => new DynamicEntity(`q${n}`, '1', { n }))
  const summary = await people.bulk({ budget, concurrency: 1 }).insert(rows).summary()
  expect(summary).toMatchObject({ ending: 'failed', done: 3, cause: { code: 'BudgetSpent' } })
  expect(sent()).toBe(3)
})
