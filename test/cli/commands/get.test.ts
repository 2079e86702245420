import { describe, expect, it } from 'vitest'
import { oneAccount } from '../accounts.ts'
import { storeFewPeople } from '../few-people.ts'

const { run } = oneAccount(storeFewPeople)

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
