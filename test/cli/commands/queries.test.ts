import { DynamicEntity } from 'rowkey'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCli } from '../run-cli.ts'
import { everyType, openTables, type Tables } from '../with-tables.ts'

let tables: Tables
const run = (line: string | readonly string[]) => runCli(line, { target: tables.target })

beforeAll(async () => {
  tables = await openTables()
  await tables.account.createTable('people')
  await tables.account.createTable('orders')
  const people = tables.account.table('people')
  await people.insert(everyType('Smith', 'Jeff'))
  for (let n = 0; n < 5; n++) await people.insert(new DynamicEntity('Jones', `${n}`, { n }))
})
afterAll(() => tables[Symbol.asyncDispose]())

describe('rowkey tables', () => {
  it('lists the tables', async () => {
    expect((await run('tables')).printed).toBe('table\n------\norders\npeople\n')
    expect((await run('tables --prefix o')).printed).toContain('orders')
  })

  it('prints JSON that names the account and no key', async () => {
    const { printed } = await run('tables --json')
    expect(JSON.parse(printed)).toMatchObject({ tables: ['orders', 'people'] })
    expect(printed).not.toContain('AccountKey')
  })

  it('exits with 1 when its output cannot be written', async () => {
    const outputError = Object.assign(new RangeError('no space'), { code: 'ENOSPC' })
    const settings = { target: tables.target, outputError }
    const { code, warned } = await runCli('query people -p Jones -o ndjson', settings)
    expect([code, warned]).toEqual([1, 'rowkey: cannot write (no space).\n'])
  })
})

describe('rowkey query', () => {
  it('prints a table whose headings have the types', async () => {
    const { printed, code } = await run('query people --partition Smith')
    expect(code).toBe(0)
    expect(printed.split('\n')[0]).toMatch(
      /^PartitionKey +RowKey +Timestamp +text:String +flag:Boolean/,
    )
    expect(printed).toContain('9007199254740993')
  })

  it('prints JSON that keeps every type', async () => {
    const { printed } = await run('query people -p Smith --json')
    expect(JSON.parse(printed)).toMatchObject([
      { 'big@odata.type': 'Edm.Int64', big: '9007199254740993', 'whole@odata.type': 'Edm.Double' },
    ])
  })

  it('prints NDJSON and CSV', async () => {
    const ndjson = await run('query people -p Jones -o ndjson --take 9')
    expect(ndjson.printed.trim().split('\n')).toHaveLength(5)
    const csv = await run('query people -p Jones -o csv --select n')
    expect(csv.printed.split('\r\n')[0]).toBe('PartitionKey,RowKey,Timestamp,n:Int32')
  })

  it('rejects --json beside --output', async () => {
    const { code, printed, warned } = await run('query people -p Jones -o csv --json')
    expect([code, printed]).toEqual([2, ''])
    expect(JSON.parse(warned).error.message).toMatch(/'--json' cannot be used with .*--output/)
  })

  it('takes a filter, and says when more rows follow', async () => {
    const { printed, warned } = await run([
      'query',
      'people',
      '--take',
      '2',
      '-o',
      'ndjson',
      '--filter',
      "PartitionKey eq 'Jones' and n ge 1",
    ])
    expect(printed.trim().split('\n')).toHaveLength(2)
    expect(warned).toContain('The first 2 rows; more follow.')
  })

  it('reads a range of RowKeys by their beginning', async () => {
    expect((await run('query people -p Jones --prefix 3 -o ndjson')).printed).toContain(
      '"RowKey":"3"',
    )
    expect((await run('query people --prefix 3')).code).toBe(2)
  })

  it('rejects a table scan with 2, and runs it with --scan', async () => {
    const refused = await run('query people')
    expect([refused.code, refused.printed]).toEqual([2, ''])
    expect(refused.warned).toContain('--scan')
    expect((await run('query people --scan -o ndjson')).printed.trim().split('\n')).toHaveLength(6)
  })

  it('explains a query without a request', async () => {
    const { printed } = await runCli(
      ['query', 'people', '--filter', 'n gt 1', '--explain', '--json'],
      {
        target: 'DefaultEndpointsProtocol=https;AccountName=nowhere;AccountKey=AAAA',
      },
    )
    expect(JSON.parse(printed)).toMatchObject({
      plan: 'tableScan',
      filter: expect.stringMatching(/^n gt 1 and \(RowKey lt '~rk~' or /),
      table: 'people',
    })
    expect((await run('query people -p Smith --explain')).printed).toMatch(
      /^table: {4}people\nplan: {5}partitionScan/,
    )
  })

  it('reports an invalid filter with its position, and exits with 2', async () => {
    const { code, warned } = await run(['query', 'people', '--filter', 'n gt'])
    expect([code, warned]).toEqual([2, expect.stringContaining('position')])
  })
})

describe('rowkey get', () => {
  it('prints one row', async () => {
    const { printed } = await run('get people Smith Jeff --json')
    expect(JSON.parse(printed)).toMatchObject({ PartitionKey: 'Smith', RowKey: 'Jeff', flag: true })
  })

  it('exits with 1 for a missing row, and prints the error as JSON on request', async () => {
    const { code, warned } = await run('get people Smith Missing --json')
    expect(code).toBe(1)
    expect(JSON.parse(warned).error).toMatchObject({ code: 'ResourceNotFound' })
  })
})

describe('rowkey count', () => {
  it('counts a partition, and the whole table with --scan', async () => {
    expect((await run('count people -p Jones')).printed).toBe('5\n')
    expect(JSON.parse((await run('count people --scan --json')).printed)).toEqual({
      table: 'people',
      count: 6,
    })
    expect((await run('count people')).code).toBe(2)
  })
})
