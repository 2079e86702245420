import { type LocalTableService, localTableService } from '@rowkey/local'
import { Account, defineEntity, encryptionKeys, key, type TableQuery, union } from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import {
  bindQuery,
  dynamicQueryModel,
  type FullPage,
  type QueryOptions,
  queryOf,
} from '@rowkey/query'
import { continuationTokenPattern, tableService } from '@rowkey/rest'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { pageTokens, queryPages } from '../../../packages/query/src/read/query-pages.ts'
import { tableScan } from '../../support/rejections.ts'
import { ArraySource } from '../array-source.ts'
import { everything, gather, runOf } from '../run-of.ts'
import { keysOf, rowsAt, TableSource } from '../table-source.ts'

const ROWS = [...'abcdefghij'].map((row) => `p/${row}`)

/** Reads 8 of 10 unsorted rows in pages of 5, deletes some, and reads the others in pages of 2. */
async function continueInSmallerPages(deleted = ''): Promise<string[]> {
  const whole = new TableSource(rowsAt(...ROWS), { isUnsorted: true, pageSize: 5 })
  const [, second] = await gather(queryPages(runOf(whole, { take: 8 })))
  const left = ROWS.filter((key) => !deleted.includes(key))
  const smaller = new TableSource(rowsAt(...left), { isUnsorted: true, pageSize: 2 })
  const pages = await gather(queryPages(runOf(smaller), second?.continuationToken))
  return pages.flatMap(({ items }) => keysOf(items))
}

describe('queryPages', () => {
  it('R-40: rejects a table scan before anything is sent', async () => {
    const source = new ArraySource([1])
    const pages = queryPages(runOf(source, { scans: 'tableRange' }))
    await expect(gather(pages)).rejects.toThrow(tableScan)
    expect(source.calls).toHaveLength(0)
    expect(queryOf(everything.model).explain().plan).toBe('tableScan')
  })

  it('begins at the token of the caller', async () => {
    const source = new ArraySource([1], [2], [3])
    const pages = await gather(queryPages(runOf(source), '1'))
    expect(pages.map(({ items }) => items)).toEqual([[2], [3]])
  })

  it('R-177: returns each unsorted row once when later pages are smaller', async () => {
    expect(await continueInSmallerPages()).toEqual(['p/b', 'p/a'])
  })

  it.each(['p/c', 'p/e p/d', 'p/e p/d p/c'])(
    'R-177: loses no unsorted row in smaller pages when these were deleted: %s',
    async (deleted) => {
      const rows = await continueInSmallerPages(deleted)
      expect(rows.slice(-2)).toEqual(['p/b', 'p/a'])
    },
  )
})

const position = { token: undefined, past: { partitionKey: 'p', rowKey: 'c' } }

/** Finds the rows of a page that follow the row `p/c`. */
function rowsAfter(isUnsorted: boolean, ...page: string[]) {
  const source = new TableSource([], { isUnsorted })
  return pageTokens(runOf(source), undefined).rowsAfter(position, rowsAt(...page))
}

describe('the tokens of pages', () => {
  it('continue after the row of the position, in any order', () => {
    expect(rowsAfter(true, 'p/d', 'p/c', 'p/a')).toEqual({ first: 2 })
  })

  it('R-177: lose no row when that row was deleted and the rows are not sorted', () => {
    expect(rowsAfter(true, 'p/d', 'p/a', 'p/b')).toEqual({ first: 0 })
    expect(rowsAfter(false, 'p/a', 'p/b', 'p/d')).toEqual({ first: 2 })
  })
})

/** Every row of a paged query, and how many came on each page. */
async function allPages<Row>(
  pageAt: (token: string | undefined) => Promise<FullPage<Row>>,
): Promise<{ rows: Row[]; sizes: number[]; tokens: string[] }> {
  const rows: Row[] = []
  const sizes: number[] = []
  const tokens: string[] = []
  let token: string | undefined
  do {
    const { items, next } = await pageAt(token)
    rows.push(...items)
    sizes.push(items.length)
    if (next !== undefined) tokens.push(next)
    token = next
  } while (token !== undefined && sizes.length < 100)
  return { rows, sizes, tokens }
}

/** As {@link allPages}, by pages of the service that a limit ends. */
const takenPages =
  <Row>(query: {
    byPage(options: {
      continuationToken?: string | undefined
    }): AsyncIterable<{ items: readonly Row[]; continuationToken?: string | undefined }>
  }) =>
  async (token: string | undefined): Promise<FullPage<Row>> => {
    const items: Row[] = []
    let next: string | undefined
    for await (const page of query.byPage({ continuationToken: token })) {
      items.push(...page.items)
      next = page.continuationToken
    }
    return { items, next }
  }

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: { code?: string }) => error.code,
  )

const Customer = defineEntity({
  name: 'customers',
  partitionKey: key`c`,
  rowKey: key`1_${'no'}`,
  schema: z.object({ no: z.string(), age: z.number().int() }),
})
const Order = defineEntity({
  name: 'customers',
  partitionKey: key`c`,
  rowKey: key`2_${'id'}`,
  schema: z.object({ id: z.string(), total: z.number() }),
})

describe('page, on the embedded service', () => {
  let local: LocalTableService
  let account: Account
  let people: ReturnType<typeof accountPeople>
  const keys = ['a/1', 'a/2', 'a/3', 'b/1', 'b/2', 'c/1', 'c/2']
  const accountPeople = (opened: Account) => opened.table('people')
  const open = (continuationKeys?: ReturnType<typeof encryptionKeys>) =>
    new Account(
      tableService({ connectionString: local.connectionString(), transport: local.transport }),
      { scans: 'tableScan', continuationKeys },
    )
  const keysIn = (rows: readonly DynamicEntity[]) =>
    rows.map(({ partitionKey, rowKey }) => `${partitionKey}/${rowKey}`)

  beforeAll(async () => {
    local = localTableService()
    account = open()
    people = accountPeople(account)
    await people.create()
    for (const row of rowsAt(...keys)) await people.insert(row)
  })

  beforeEach(() => local.faults.clear())

  afterAll(async () => {
    await account.close()
    await local.close()
  })

  const CUTS = [
    ['never', {}],
    ['on the first request', { nth: 1 }],
    ['on the second request', { nth: 2 }],
    ['on each third request', { every: 3 }],
    ['on each other request', { every: 2 }],
  ] as const
  const ROWS = [0, 1, 2, 3, 5]

  describe.each(CUTS)('of a service that cuts pages %s', (_, rule) => {
    it.each(ROWS)('after %d rows, has exactly so many rows, and loses none', async (rows) => {
      for (let size = 1; size <= keys.length + 1; size++) {
        local.faults.clear()
        const cuts = Object.keys(rule).length > 0
        if (cuts) local.faults.add({ ...rule, fault: { kind: 'cut page', rows } })
        const pages = await allPages((token) => people.query().page({ size, token }))
        expect(keysIn(pages.rows)).toEqual(keys)
        for (const given of pages.sizes.slice(0, -1)) expect(given).toBe(size)
      }
    })

    it.each(ROWS)('after %d rows, loses no row by take and byPage', async (rows) => {
      for (let size = 1; size <= keys.length + 1; size++) {
        local.faults.clear()
        const cuts = Object.keys(rule).length > 0
        if (cuts) local.faults.add({ ...rule, fault: { kind: 'cut page', rows } })
        const pages = await allPages(takenPages(people.query().take(size)))
        expect(keysIn(pages.rows)).toEqual(keys)
        for (const given of pages.sizes.slice(0, -1)) expect(given).toBe(size)
      }
    })

    it.each([1, 2, 4])('after %d rows, loses no row that is filtered here', async (rows) => {
      for (let size = 1; size <= 5; size++) {
        local.faults.clear()
        const cuts = Object.keys(rule).length > 0
        if (cuts) local.faults.add({ ...rule, fault: { kind: 'cut page', rows } })
        const query = people.query().filterLocally((row) => row.rowKey !== '2')
        const wanted = keys.filter((each) => !each.endsWith('2'))
        const full = await allPages((token) => query.page({ size, token }))
        expect(keysIn(full.rows)).toEqual(wanted)
        for (const given of full.sizes.slice(0, -1)) expect(given).toBe(size)
        const taken = await allPages(takenPages(query.take(size)))
        expect(keysIn(taken.rows)).toEqual(wanted)
      }
    })
  })

  it('gives no empty page while the service gives up before it finds a row', async () => {
    local.faults.add({ times: 5, fault: { kind: 'cut page', rows: 0 } })
    const { items } = await people.query().page({ size: 2 })
    expect(keysIn(items)).toEqual(['a/1', 'a/2'])
  })

  it('gives an empty page with its own token where a continued page is cut at once', async () => {
    const { next } = await people.query().page({ size: 2 })
    local.faults.add({ nth: 1, fault: { kind: 'cut page', rows: 0 } })
    const [empty, full] = await gather(people.query().byPage({ continuationToken: next }))
    expect(empty).toEqual({ items: [], continuationToken: next })
    expect(keysIn(full?.items ?? [])).toEqual(keys.slice(2))
  })

  it('continues after the last row, whatever was inserted and deleted meanwhile', async () => {
    const query = people.query().filterLocally((row) => row.rowKey !== '2')
    const { items, next } = await query.page({ size: 3 })
    expect(keysIn(items)).toEqual(['a/1', 'a/3', 'b/1'])
    await people.delete(items[2]!)
    const inserted = new DynamicEntity('a', '9')
    await people.insert(inserted)
    expect(keysIn((await query.page({ size: 3, token: next })).items)).toEqual(['c/1'])
    await people.delete(inserted)
    await people.insert(new DynamicEntity('b', '1', { n: 1 }))
  })

  it('reads pages of select, resolve, and rows that conditions name by their keys', async () => {
    const selected = await allPages((token) => people.query().select('n').page({ size: 3, token }))
    expect(selected.rows.map((row) => row.get('n')?.value)).toEqual([1, 2, 3, 1, 2, 1, 2])
    const resolved = people.query().resolve((partition, row) => partition + row)
    const texts = await allPages((token) => resolved.page({ size: 2, token }))
    expect(texts).toMatchObject({
      rows: keys.map((each) => each.replace('/', '')),
      sizes: [2, 2, 2, 1],
    })
    const named = people.query().where((c) => c.partitionKey!.eq('a').and(c.rowKey!.in(['1', '3'])))
    const found = await allPages((token) => named.page({ size: 1, token }))
    expect(keysIn(found.rows)).toEqual(['a/1', 'a/3'])
  })

  it('reads pages of a model and of a union', async () => {
    const store = account.table('store', union(Customer, Order))
    await store.create()
    const customers = ['1', '2', '3'].map((no) => ({ no, age: Number(no) }))
    const orders = ['1', '2'].map((id) => ({ id, total: Number(id) }))
    for (const each of [...customers, ...orders]) await store.insert(each)
    for (const size of [1, 2, 3, 4, 5, 6]) {
      local.faults.clear()
      local.faults.add({ every: 2, fault: { kind: 'cut page', rows: 1 } })
      const all = await allPages((token) => store.query().page({ size, token }))
      expect(all.rows).toEqual([...customers, ...orders])
      const ofType: TableQuery<{ no: string; age: number }> = store.ofType(Customer).query()
      const some = await allPages((token) => ofType.where({ age: 2 }).page({ size, token }))
      expect(some.rows).toEqual([customers[1]])
    }
  })

  describe('with continuationKeys', () => {
    const secret = (byte: number) => new Uint8Array(32).fill(byte)
    const first = encryptionKeys({ current: 'one', keys: { one: secret(1) } })
    const both = encryptionKeys({ current: 'two', keys: { one: secret(1), two: secret(2) } })
    const later = encryptionKeys({ current: 'two', keys: { two: secret(2) } })
    const other = encryptionKeys({ current: 'one', keys: { one: secret(3) } })
    const queryWith = (ring?: typeof first) => accountPeople(open(ring)).query()

    it('shows no key in a token, and pages as without', async () => {
      const query = queryWith(first).filterLocally((row) => row.rowKey !== '2')
      const pages = await allPages((token) => query.page({ size: 2, token }))
      expect(keysIn(pages.rows)).toEqual(['a/1', 'a/3', 'b/1', 'c/1'])
      const [sealed] = await gather(queryWith(first).pageSize(2).byPage())
      for (const token of [...pages.tokens, sealed?.continuationToken ?? '']) {
        expect(token).toMatch(/^~s[\w-]{60,}$/)
        expect(token).toMatch(continuationTokenPattern)
      }
      const rest = queryWith(first).byPage({ continuationToken: sealed?.continuationToken })
      expect(keysIn((await gather(rest)).flatMap((page) => [...page.items]))).toEqual(keys.slice(2))
    })

    it('seals every token anew', async () => {
      const tokens = await Promise.all(
        [1, 2].map(async () => (await queryWith(first).page({ size: 2 })).next),
      )
      expect(tokens[0]).not.toBe(tokens[1])
    })

    it('opens tokens under every key of the ring, and no other', async () => {
      const { next } = await queryWith(first).page({ size: 2 })
      expect((await queryWith(both).page({ size: 2, token: next })).items).toHaveLength(2)
      for (const ring of [later, other, undefined]) {
        expect(await codeOf(queryWith(ring).page({ size: 2, token: next }))).toBe(
          'InvalidContinuationToken',
        )
      }
    })

    it('rejects a token that is not sealed, was altered, or is of another query or table', async () => {
      const { next = '' } = await queryWith(first).page({ size: 2 })
      const plain = await queryWith().page({ size: 2 })
      const halfway = next.length >> 1
      const altered =
        next.slice(0, halfway) + (next[halfway] === 'A' ? 'B' : 'A') + next.slice(halfway + 1)
      for (const token of [plain.next, altered, next.slice(0, -4), `${next}AAAA`, '~s']) {
        expect(await codeOf(queryWith(first).page({ size: 2, token }))).toBe(
          'InvalidContinuationToken',
        )
      }
      const others = [
        queryWith(first).where({ partitionKey: 'a' }),
        queryWith(first).select('n'),
        open(first).table('others').query(),
      ]
      for (const query of others) {
        expect(await codeOf(query.page({ size: 2, token: next }))).toBe('InvalidContinuationToken')
      }
      expect((await queryWith(first).page({ size: 3, token: next })).items).toHaveLength(3)
    })

    it('are rejected when they are not a ring of keys', () => {
      expect(() => open(secret(1) as never)).toThrow(/continuationKeys .* encryptionKeys/)
    })
  })
})

describe('page', () => {
  const queryOn = (source: ArraySource<number>) =>
    bindQuery(dynamicQueryModel('people'), source).allowTableScan()

  it('counts rows where the source does not know their keys', async () => {
    const source = new ArraySource([1, 2, 3, 4], [], [5], [6, 7])
    for (let size = 1; size <= 8; size++) {
      const { rows, sizes } = await allPages((token) => queryOn(source).page({ size, token }))
      expect(rows).toEqual([1, 2, 3, 4, 5, 6, 7])
      for (const given of sizes.slice(0, -1)) expect(given).toBe(size)
    }
  })

  it('keeps a source’s token that looks like a position', async () => {
    const source = {
      fetchPage: async (_: unknown, { continuationToken }: { continuationToken?: string }) =>
        continuationToken === '~p' ? { items: [2] } : { items: [1], continuationToken: '~p' },
    }
    const query = bindQuery(dynamicQueryModel('people'), source).allowTableScan()
    const { rows } = await allPages((token) => query.page({ size: 1, token }))
    expect(rows).toEqual([1, 2])
  })

  it('asks for no more rows than it needs, and gives the source the options', async () => {
    const source = new ArraySource([1, 2], [3, 4])
    const options: QueryOptions = { timeout: 5 }
    await queryOn(source).page({ ...options, size: 3 })
    expect(source.calls.map((call) => [call.query.top, call.options])).toEqual([
      [3, { timeout: 5 }],
      [3, { timeout: 5 }],
    ])
  })

  it.each([0, -1, 1.5, Number.NaN, '2', undefined])('rejects a size of %j', async (size) => {
    const query = queryOn(new ArraySource([1]))
    await expect(query.page({ size: size as number })).rejects.toMatchObject({
      code: 'InvalidQuery',
    })
  })

  it('rejects a query with a limit, and several queries at once', async () => {
    const query = queryOn(new ArraySource([1]))
    await expect(query.take(5).page({ size: 2 })).rejects.toThrow(/\.take\(5\).*Remove \.take/)
    await expect(query.page({ size: '10' as never })).rejects.toThrow(
      /^The size of \.page on \w+ must be a whole number from 1 to \d+; got a text\.$/,
    )
    const several = bindQuery(dynamicQueryModel('people'), new TableSource([])).inPartitions(['a'])
    await expect(several.page({ size: 2 })).rejects.toThrow(/\.page\(\) .*inPartitions/)
  })

  it('rejects a table scan before anything is sent', async () => {
    const source = new ArraySource([1])
    const query = bindQuery(dynamicQueryModel('people'), source)
    await expect(query.page({ size: 1 })).rejects.toMatchObject({ code: 'TableScan' })
    expect(source.calls).toHaveLength(0)
  })
})
