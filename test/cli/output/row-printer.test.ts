import { describe, expect, it } from 'vitest'
import { oneAccount } from '../accounts.ts'
import { storeFewPeople } from '../few-people.ts'

const { run } = oneAccount(storeFewPeople)

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
})
