import { localTableService } from '@rowkey/local'
import { Account } from '@rowkey/mapper'
import { ETagMismatchError, TableNotFoundError, tableService } from '@rowkey/rest'
import { failingTransport } from '@rowkey/rest/testing'
import { describe, expect, it } from 'vitest'
import { Customer, customer } from '../customer.ts'
import { freshAccount, freshTable } from '../fresh-account.ts'

const jeffsKey = ['Smith', 'Jeff'] as const

describe('deleteEntityIfExists', () => {
  it('R-137: returns whether the entity existed, with one request', async () => {
    const { table, sent } = await freshTable(Customer)
    const jeff = await table.insert(customer('Smith', 'Jeff'))
    sent.length = 0
    expect(await table.deleteIfExists(jeff)).toBe(true)
    expect(await table.deleteIfExists(jeff)).toBe(false)
    expect(await table.deleteIfExists(jeffsKey, { etag: '*' })).toBe(false)
    expect(sent).toHaveLength(3)
  })

  it('R-137: uses the ETag, unless the caller passes "*"', async () => {
    const { table } = await freshTable(Customer)
    const jeff = await table.insert(customer('Smith', 'Jeff'))
    await table.insertOrMerge(customer('Smith', 'Jeff', { age: 5 }))
    await expect(table.deleteIfExists(jeff)).rejects.toThrow(ETagMismatchError)
    await expect(table.deleteIfExists(jeffsKey)).rejects.toThrow(
      expect.objectContaining({ code: 'MissingETag' }),
    )
    expect(await table.deleteIfExists(jeff, { etag: '*' })).toBe(true)
    expect(await table.find(jeffsKey)).toBeUndefined()
  })

  it.each(['*', undefined])(
    'treats a missing entity after a lost response as deleted (%s)',
    async (etag) => {
      const { transport, connectionString } = localTableService()
      let lost = 0
      const service = tableService({
        connectionString: connectionString(),
        transport: failingTransport(transport, ({ method }) =>
          method === 'DELETE' && lost++ === 0 ? 'lost response' : undefined,
        ),
        retry: { delayAfter: () => 0 },
      })
      const table = new Account(service).table(Customer)
      await table.create()
      const jeff = await table.insert(customer('Smith', 'Jeff'))
      expect(await table.deleteIfExists(jeff, { etag })).toBe(true)
      expect(lost).toBe(2)
    },
  )

  it('rejects a missing table, and options that it does not have', async () => {
    const nowhere = freshAccount().account.table('nowhere')
    await expect(nowhere.deleteIfExists(['a', 'b'], { etag: '*' })).rejects.toThrow(
      TableNotFoundError,
    )
    const misspelt = nowhere.deleteIfExists(['a', 'b'], { eatg: '*' } as object)
    await expect(misspelt).rejects.toThrow(expect.objectContaining({ code: 'UnknownOption' }))
  })
})
