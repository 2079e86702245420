import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DynamicEntity } from 'rowkey'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openTables, type Tables } from '../with-tables.ts'
import { runProcess } from './built-command.ts'

/** What people reported of other tools for tables, tried on the built command. */
let tables: Tables
let folder: string
beforeAll(async () => {
  tables = await openTables()
  folder = await mkdtemp(join(tmpdir(), 'rowkey-reports-'))
})
afterAll(async () => {
  await tables[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})
beforeEach(async () => {
  await people().createIfNotExists()
  await people().query().allowTableScan().deleteAll({ etag: '*' })
})

const people = () => tables.account.table('people')
const run = (...args: string[]) => runProcess(args, { ROWKEY_TARGET: tables.target }, '', folder)
const write = (name: string, text: string) => writeFile(join(folder, name), text)
const stored = async () =>
  (await people().query().allowTableScan().toArray()).map(({ partitionKey, rowKey }) => [
    partitionKey,
    rowKey,
  ])

// microsoft/AzureStorageExplorer 3136
it('import leaves out the lines of empty cells that spreadsheets leave of deleted rows', async () => {
  await write('blank.csv', 'PartitionKey,RowKey,n\r\na,1,x\r\n,,\r\na,2,y\r\n,,\r\n,,\r\n')
  const { code, warned } = await run('import', 'people', 'blank.csv')
  expect([code, warned]).toEqual([0, 'Wrote 2 rows to people.\n'])
})

// microsoft/AzureStorageExplorer 1855
it('import names the line and the text of a null that is not a number', async () => {
  await write('null.csv', 'PartitionKey,RowKey,n:Int32\na,1,5\na,2,null\n')
  const { code, warned } = await run('import', 'people', 'null.csv')
  expect([code, warned]).toEqual([1, expect.stringContaining('null.csv, line 3: n is "null"')])
})

it('import rejects an unknown type of a heading before it writes a row', async () => {
  await write('type.csv', 'PartitionKey,RowKey,n:Int\na,1,5\n')
  const { code, warned } = await run('import', 'people', 'type.csv')
  expect([code, warned]).toEqual([
    1,
    expect.stringContaining('type.csv, line 1: "Int" of the heading "n:Int" is not a type'),
  ])
  expect(await stored()).toEqual([])
})

// microsoft/AzureStorageExplorer 6625 and 8772
it('CSV keeps carriage returns, empty texts and missing values, and types of the first row only', async () => {
  const rows = [
    new DynamicEntity('a', '1', { t: 'one\rtwo' }),
    new DynamicEntity('a', '2', { t: 'one\r\n"two"' }),
    new DynamicEntity('a', '3', { t: '' }),
    new DynamicEntity('a', '4'),
  ]
  await people().bulk().insert(rows)
  for (const format of ['csv', 'explorer-csv']) {
    expect((await run('export', 'people', 'out.csv', '--format', format)).code).toBe(0)
    await rm(join(folder, 'out.csv.people.import'), { force: true })
    const again = await run('import', 'people', 'out.csv', '--format', format, '--json')
    // A row that is stored with the same values counts as written; with others it would fail.
    expect(JSON.parse(again.printed)).toMatchObject({ written: 4, failed: 0 })
    await rm(join(folder, 'out.csv'))
  }
})

// Azure/azure-storage-net 721
it('an export of AzCopy 7 is imported by its manifest, with numbers that JSON does not have', async () => {
  await write('acc_people.manifest', '"Version","1"\n')
  await write(
    'acc_people_0_0_468B.json',
    '[{"PartitionKey":"a","RowKey":"1","Timestamp":"2018-06-20T19:09:33Z","d@odata.type":"Edm.Double","d":"-Infinity"}\n,{"PartitionKey":"a","RowKey":"2","d@odata.type":"Edm.Double","d":"NaN"}]',
  )
  await write('acc_people_1_0_468C.json', '[{"PartitionKey":"b","RowKey":"1","s":null}]')
  expect((await run('import', 'people', 'acc_people.manifest')).code).toBe(0)
  expect(await stored()).toEqual([
    ['a', '1'],
    ['a', '2'],
    ['b', '1'],
  ])
  expect((await people().get(['a', '1'])).get('d')?.value).toBe(Number.NEGATIVE_INFINITY)
})

// microsoft/AzureStorageExplorer 7555 and 5564
it.each(["V_Pyewacket''s", '%a', '%2F+b &=', '漢🙂'])(
  'a row whose key is %j is stored, shown and deleted',
  async (key) => {
    expect((await run('put', 'people', key, key, 'n=1', '--write')).code).toBe(0)
    expect(JSON.parse((await run('get', 'people', key, key, '--json')).printed)).toMatchObject({
      PartitionKey: key,
      RowKey: key,
    })
    expect((await run('delete', 'people', key, key, '--write')).code).toBe(0)
    expect(await stored()).toEqual([])
  },
)

// microsoft/AzureStorageExplorer 5585 and 315
it('delete takes more rows of a partition than a transaction', async () => {
  const rows = Array.from({ length: 250 }, (_, n) => new DynamicEntity('a', `${n}`, { n: n % 2 }))
  await people().bulk().insert(rows)
  const filter = "PartitionKey eq 'a' and n eq 1"
  const { warned } = await run('delete', 'people', '--filter', filter, '--write')
  expect(warned).toBe('Deleted 125 rows of people.\n')
  expect((await stored()).length).toBe(125)
})

// Azure/azure-cli 22018
it('the types of other commands are named as this one has them', async () => {
  const { code, warned } = await run(
    ...['put', 'people', 'a', 'b', 'SizeInBytes=862225049223168'],
    ...['SizeInBytes@odata.type=Edm.Int64', '--write'],
  )
  expect([code, warned]).toEqual([2, expect.stringContaining('write SizeInBytes:Int64=value.')])
  const size = 'SizeInBytes:Int64=862225049223168'
  expect((await run('put', 'people', 'a', 'b', size, '--write')).code).toBe(0)
  expect((await people().get(['a', 'b'])).get('SizeInBytes')?.value).toBe(862225049223168n)
})

// microsoft/AzureStorageExplorer 1382
it('a filter says that a number of 64 bits needs an L', async () => {
  const wrong = await run('query', 'people', '--filter', 'n eq 5454161346626', '--scan')
  expect([wrong.code, wrong.warned]).toEqual([2, expect.stringContaining('5000000000L')])
  const right = await run('query', 'people', '--filter', 'n eq 5454161346626L', '--scan', '--json')
  expect(right.code).toBe(0)
})

it.each([
  ['query people', '--scan'],
  ['query people --filter n', '--scan'],
  ['put people a/b c --write', 'must not contain /'],
  ['count missing --scan', 'rowkey create'],
  ['clear people', 'rowkey: rowkey clear writes'],
  ['import people id.ndjson --dry-run --target cosmos', '--rename'],
  ['tables --target https://contoso.table.core.windows.net', '--auth entra'],
])('the message of %j names %s, and not what the library has for programs', async (line, named) => {
  await write('id.ndjson', '{"PartitionKey":"a","RowKey":"b","id":1}\n')
  await using cosmos = await openTables('cosmos')
  const args = line.split(' ').map((arg) => (arg === 'cosmos' ? cosmos.target : arg))
  const { code, warned } = await run(...args)
  expect(code).toBeGreaterThan(0)
  expect(warned).toContain(named)
  const words = /connect\(\)|create\(\)|summary\.|@StoreAs|:escaped|~rk~|\.allow|\.filter/
  expect(warned).not.toMatch(words)
})
