import { describe, expect, it } from 'vitest'
import { oneAccount } from '../accounts.ts'
import { storeFewPeople } from '../few-people.ts'
import { runCli } from '../run-cli.ts'

const { at, run } = oneAccount(storeFewPeople)

describe('rowkey tables', () => {
  it('exits with 1 when its output cannot be written', async () => {
    const outputError = Object.assign(new RangeError('no space'), { code: 'ENOSPC' })
    const settings = { target: at.tables.target, outputError }
    const { code, warned } = await runCli('query people -p Jones -o ndjson', settings)
    expect([code, warned]).toEqual([1, 'rowkey: cannot write (no space).\n'])
  })
})

describe('rowkey query', () => {
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
