import { localTableService } from '@rowkey/local'
import { Account } from '@rowkey/mapper'
import { tableService } from '@rowkey/rest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rowsAt } from '../table-source.ts'

const { transport, connectionString } = localTableService()
const service = tableService({ connectionString: connectionString(), transport })
const account = new Account(service, { scans: 'tableScan' })
const people = account.table('people')

beforeAll(async () => {
  await people.create()
  for (const row of rowsAt('a/1', 'a/2', 'a/3', 'b/1', 'b/2')) await people.insert(row)
})
afterAll(() => account.close())

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: { code?: string }) => error.code,
  )

describe('the token of a page', () => {
  it.each(['', null])('may be %j for the start, as a handler of REST passes it', async (token) => {
    const query = people.query()
    const first = await query.page({ size: 1 })
    expect(await query.page({ size: 1, token })).toEqual(first)
    const { value } = await query.byPage({ continuationToken: token }).next()
    expect(value?.items[0]).toEqual(first.items[0])
  })

  it('is rejected by another query, as is a text that is not a token', async () => {
    const query = people.query().filterLocally((row) => row.rowKey !== '2')
    const { next } = await query.page({ size: 1 })
    const other = people.query().where({ partitionKey: 'a' })
    expect(await codeOf(other.page({ size: 1, token: next }))).toBe('InvalidContinuationToken')
    for (const token of ['x', `${next}A`, '~p', '~s123456', 7 as never]) {
      expect(await codeOf(query.page({ size: 1, token }))).toBe('InvalidContinuationToken')
    }
  })
})
