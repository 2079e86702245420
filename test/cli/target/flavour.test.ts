import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { localTableService } from '@rowkey/local'
import { connect, DynamicEntity } from 'rowkey'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runCli } from '../run-cli.ts'
import { openTables, type Tables } from '../with-tables.ts'

/** The queries that the service received, decoded. */
const queries: string[] = []
let storage: Tables
let folder: string
/** The service at an address that does not tell its kind. */
let target: string

/** The connection string that the service prints. */
let printed: string

const cosmos = localTableService({
  flavour: 'cosmos',
  onRequest: ({ query }) => queries.push(decodeURIComponent(query.replaceAll('+', ' '))),
})

beforeAll(async () => {
  printed = (await cosmos.listen({ port: 0 })).connectionString
  target = printed.replace(';Flavour=cosmos', '')
  storage = await openTables()
  folder = await mkdtemp(join(tmpdir(), 'rowkey-flavour-'))
})
afterAll(async () => {
  await cosmos.close()
  await storage[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

const run = (line: string | readonly string[], environment: Record<string, string> = {}) =>
  runCli(line, { folder, environment: { ROWKEY_TARGET: target, ...environment } })

let account: ReturnType<typeof connect>
beforeEach(async () => {
  account = connect(printed)
  const orders = account.table('open-orders')
  await orders.create()
  for (const name of ['a', 'b', 'c']) await orders.insert(new DynamicEntity('p', name, { n: 1 }))
  queries.length = 0
})
afterEach(async () => {
  await account.table('open-orders').drop()
  await account.close()
})

describe('an account of Cosmos DB behind another address', () => {
  it('is used with --flavour cosmos', async () => {
    const orders = account.table('open-orders')
    expect(await run('count open-orders --scan --flavour cosmos')).toMatchObject({ printed: '3\n' })
    const merge = 'merge open-orders p a m=2 --write --flavour cosmos'
    expect(await run(merge)).toMatchObject({ code: 0 })
    expect((await orders.get(['p', 'a'])).get('m')?.value).toBe(2)

    const line = '{"PartitionKey":"p","RowKey":"b","m":3}\n'
    await writeFile(join(folder, 'rows.ndjson'), line)
    const imported = 'import open-orders rows.ndjson --on-existing merge --flavour cosmos'
    expect(await run(imported)).toMatchObject({ code: 0 })
    expect((await orders.get(['p', 'b'])).properties.size).toBe(2)

    expect(await run('export open-orders rows.csv --flavour cosmos')).toMatchObject({ code: 0 })
    expect(await readFile(join(folder, 'rows.csv'), 'utf8')).toContain('p,a,')
  })

  it('compares and copies rows that come in no order, with --to-flavour for the second account', async () => {
    const people = storage.account.table('people')
    await people.create()
    for (const name of ['a', 'b', 'c']) await people.insert(new DynamicEntity('p', name, { n: 1 }))
    const pair = ['--to', target, '--to-flavour', 'cosmos', '--to-table', 'open-orders']
    const environment = { ROWKEY_TARGET: storage.target }
    expect(await run(['diff', 'people', ...pair], environment)).toMatchObject({
      code: 0,
      warned: 'The tables are equal.\n',
    })
    await people.insert(new DynamicEntity('p', 'd', { n: 1 }))
    expect(await run(['copy', 'people', ...pair], environment)).toMatchObject({ code: 0 })
    expect(await account.table('open-orders').query().allowTableScan().count()).toBe(4)
  })

  it('import --dry-run rejects what Cosmos DB rejects', async () => {
    const rows = ['{"PartitionKey":"","RowKey":"b"}', '{"PartitionKey":"p","RowKey":"c","id":"x"}']
    await writeFile(join(folder, 'rows.ndjson'), rows.join('\n'))
    const line = 'import open-orders rows.ndjson --dry-run --json'
    expect(JSON.parse((await run(`${line} --flavour cosmos`)).printed)).toMatchObject({ failed: 2 })
  })

  it('follows from the profile, and from the connection string that the service prints', async () => {
    const count = 'count open-orders --scan --target @local'
    const profile = { ROWKEY_LOCAL: target, ROWKEY_LOCAL_FLAVOUR: 'cosmos' }
    expect(await run(count, profile)).toMatchObject({ printed: '3\n' })
    expect(await run(count, { ROWKEY_LOCAL: printed })).toMatchObject({
      printed: '3\n',
    })
    expect(await run(count, { ROWKEY_LOCAL: target })).toMatchObject({ code: 2 })
    expect(await run(count, { ...profile, ROWKEY_LOCAL_FLAVOUR: 'cosmo' })).toMatchObject({
      code: 2,
      warned: 'rowkey: ROWKEY_LOCAL_FLAVOUR must be storage or cosmos.\n',
    })
    expect((await run('tables --target @loc', profile)).warned).toContain('exist: @local.\n')
  })
})

describe('a condition on the Timestamp, by which Cosmos DB matches no row', () => {
  /** A filter that holds for one of the three rows, and for rows of others that were written later. */
  const since = async () => {
    const orders = account.table('open-orders')
    const row = await orders.get(['p', 'b'])
    const text = JSON.stringify(row.timestamp).slice(1, -1)
    return `PartitionKey eq 'p' and Timestamp eq datetime'${text}' and n eq 1`
  }
  const noTimestampWasSent = () => {
    expect(queries.some((query) => query.includes('$filter'))).toBe(true)
    expect(queries.filter((query) => /filter.*Timestamp/.test(query))).toEqual([])
  }

  it.each([
    ['query', ['query', 'open-orders', '-o', 'ndjson'], /"RowKey":"b"[^\n]*\n$/],
    ['count', ['count', 'open-orders'], /^1\n$/],
    ['export', ['export', 'open-orders'], /^\{"PartitionKey":"p","RowKey":"b"[^\n]*\n$/],
  ])('is compared here by %s', async (_, args, rows) => {
    const found = await run([...args, '-f', await since(), '--flavour', 'cosmos'])
    expect([found.code, found.printed]).toEqual([0, expect.stringMatching(rows)])
    noTimestampWasSent()
  })

  it('is compared here by copy and diff', async () => {
    const copies = storage.account.table('copies')
    await copies.create()
    const pair = [
      'open-orders',
      '--to',
      storage.target,
      '--to-table',
      'copies',
      '-f',
      await since(),
    ]
    expect(await run(['diff', ...pair, '--flavour', 'cosmos'])).toMatchObject({
      code: 3,
      printed: '+ ["p","b"]\n',
    })
    expect(await run(['copy', ...pair, '--flavour', 'cosmos'])).toMatchObject({ code: 0 })
    const rows = await copies.query().allowTableScan().toArray()
    expect(rows.map(({ rowKey }) => rowKey)).toEqual(['b'])
    noTimestampWasSent()
  })

  it('leaves no row out of backup --incremental', async () => {
    expect(await run('backup saved --flavour cosmos')).toMatchObject({ code: 0 })
    await account.table('open-orders').insert(new DynamicEntity('p', 'd', { n: 1 }))
    const { printed: text } = await run('backup saved --incremental --flavour cosmos --json')
    expect(JSON.parse(text).files).toMatchObject([{ table: 'open-orders', rows: 4 }])
    expect(queries.filter((query) => /filter.*Timestamp/.test(query))).toEqual([])
  })

  it('is explained', async () => {
    const line = ['query', 'open-orders', '-f', await since(), '--explain', '--flavour', 'cosmos']
    const { printed: text } = await run(line)
    expect(text).toContain("filter:   PartitionKey eq 'p' and n eq 1 and (RowKey lt '~rk~' or ")
    expect(text).toContain(
      'warning:  Cosmos DB matches no row by its Timestamp, so other rows are dropped after they were read, sent and billed.\n',
    )
  })

  it('can be of properties that are not selected only when the service tests it', async () => {
    const filter = `PartitionKey eq 'p' and (Timestamp gt datetime'2020-01-01T00:00:00Z' or n eq 2)`
    const line = ['query', 'open-orders', '-f', filter, '-s', 'm', '--flavour', 'cosmos']
    expect(await run(line)).toMatchObject({
      code: 2,
      warned:
        "rowkey: The filter on open-orders uses 'n', which --select does not read. Select it too.\n",
    })
  })
})
