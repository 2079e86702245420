import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DynamicEntity } from 'rowkey'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { runOnFullDisk, runProcess, startCommand } from '../processes/built-command.ts'
import { openTables, type Tables } from '../with-tables.ts'

let tables: Tables

beforeAll(async () => {
  tables = await openTables()
  const people = tables.account.table('people')
  await people.create()
  const rows = Array.from({ length: 3_000 }, (_, n) => new DynamicEntity('a', `${n}`, { n }))
  await people.bulk().insert(rows)
})
afterAll(() => tables[Symbol.asyncDispose]())

const environment = () => ({ AZURE_STORAGE_CONNECTION_STRING: tables.target })

it('shows the tables and rows of the account that the environment names', async () => {
  expect(await runProcess(['tables'], environment())).toEqual({
    code: 0,
    printed: 'table\n------\npeople\n',
    warned: '',
  })
  const { printed } = await runProcess(['count', 'people', '-p', 'a', '--json'], environment())
  expect(JSON.parse(printed)).toEqual({ table: 'people', count: 3_000 })
})

it('exits with 2 for an unknown option, and with 1 for a missing table', async () => {
  const unknown = await runProcess(['tables', '--foo'], environment())
  expect([unknown.code, unknown.warned]).toEqual([2, expect.stringContaining("'--foo'")])
  const missing = await runProcess(['count', 'missing', '-p', 'a'], environment())
  expect([missing.code, missing.warned]).toEqual([1, expect.stringMatching(/^rowkey: .*missing/)])
})

it('uses a service of Cosmos DB at any address with --flavour cosmos', async () => {
  await using cosmos = await openTables('cosmos')
  const orders = cosmos.account.table('open-orders')
  await orders.create()
  await orders.insert(new DynamicEntity('p', 'a', { n: 1 }))
  const target = cosmos.target.replace(';Flavour=cosmos', '')
  const merge = ['merge', 'open-orders', 'p', 'a', 'm=2', '--write']
  const unnamed = await runProcess(merge, { ROWKEY_TARGET: target })
  expect([unnamed.code, unnamed.warned]).toEqual([2, expect.stringContaining('open-orders')])
  const named = await runProcess([...merge, '--flavour', 'cosmos'], { ROWKEY_TARGET: target })
  expect(named).toMatchObject({ code: 0 })
  expect(await runProcess(merge, { ROWKEY_TARGET: cosmos.target })).toMatchObject({ code: 0 })
  const args = ['diff', 'open-orders', '--to', target, '--to-flavour', 'cosmos', '-f', 'm eq 3']
  const { code } = await runProcess([...args, '--to-table', 'closed'], {
    ROWKEY_TARGET: cosmos.target,
  })
  expect(code).toBe(1) // the second table is missing
})

it('ends quietly when the reader of its output goes away', async () => {
  const args = ['query', 'people', '-p', 'a', '--take', '3000', '-o', 'ndjson']
  const child = startCommand(args, environment())
  let warned = ''
  child.stderr.on('data', (chunk) => {
    warned += chunk
  })
  child.stdout.destroy()
  const [code] = await once(child, 'close')
  expect([code, warned]).toEqual([0, ''])
})

it('ends when it fails, although its input stays open', async () => {
  const child = startCommand(['import', 'missing'], environment())
  child.stdin.write('{"PartitionKey":"a","RowKey":"b"}\n')
  const [code] = await once(child, 'exit')
  expect(code).toBe(1)
})

it('prints a script that completes commands', async () => {
  const { code, printed } = await runProcess(['complete', 'bash'])
  expect([code, printed]).toEqual([0, expect.stringContaining('rowkey')])
  expect((await runProcess(['complete', '--', 'que'])).printed).toContain('query')
})

it.skipIf(process.platform === 'win32')(
  'fails on a full disk, and loses no row of an export that then goes on',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rowkey-full-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const file = join(folder, 'people.ndjson')
    const whole = await runProcess(['export', 'people'], environment())
    // The last write stores a part of its bytes.
    const full = { largestFile: Math.floor(whole.printed.length / 1024), output: `${file}.printed` }

    const failed = await runOnFullDisk(['export', 'people', file], environment(), full)
    expect(failed).toEqual({ code: 1, warned: expect.stringContaining('EFBIG') })
    expect((await runProcess(['export', 'people', file], environment())).code).toBe(0)
    expect(await readFile(file, 'utf8')).toBe(whole.printed)

    const query = ['query', 'people', '-p', 'a', '--take', '3000', '--json']
    const printed = await runOnFullDisk(query, environment(), full)
    expect(printed).toEqual({ code: 1, warned: expect.stringContaining('EFBIG') })
  },
)
