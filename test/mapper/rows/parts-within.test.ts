import { Account, type Table } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { type Invoice, tenants } from './tenants.ts'

describe('within', () => {
  it('rejects properties that are not the first of the PartitionKey', async () => {
    const { whole } = await tenants()
    for (const values of [{ region: 'eu' }, { no: 1 }, {}, { tenant: 'a', no: 1 }]) {
      expect(() => whole.within(values as never)).toThrow('needs the first properties')
    }
    expect(() => whole.within({ tenant: 'a;b' })).toThrow("must not contain ';'")
  })

  it('fixes several properties', async () => {
    const { whole, seen } = await tenants()
    const acmeInEurope = whole.within({ tenant: 'acme', region: 'eu' })
    expect(await acmeInEurope.query().toArray()).toMatchObject([{ no: 1, region: 'eu' }])
    expect(new Set(seen)).toEqual(new Set(['acme;eu']))
  })

  it('rejects tables without a model, and those that are restricted already', async () => {
    const { whole, acme } = await tenants()
    const account = new Account(whole.parts.service)
    const wrong = 'needs a table of models, whose keys have no fixed properties yet'
    expect(() => account.table('invoices').within({ partitionKey: 'a' } as never)).toThrow(wrong)
    expect(() => (acme as unknown as Table<Invoice>).within({ tenant: 'acme' })).toThrow(wrong)
  })
})
