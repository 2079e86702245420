import { type Account, defineEntity, Entity, key, lifetime, lifetimeOf } from '@rowkey/mapper'
import { chunkStore, declareIndexes, declareLargeValues, declareSummaries } from '@rowkey/patterns'
import { describe, expectTypeOf, it } from 'vitest'
import { z } from 'zod'

const Invoice = defineEntity({
  name: 'invoices',
  partitionKey: key`${'tenant'};${'region'}`,
  rowKey: key`${'no:8'}`,
  schema: z.object({
    tenant: z.string(),
    region: z.string(),
    no: z.number().int(),
    total: z.number(),
  }),
})

@Entity({ name: 'notes', partitionKey: key`${'tenant'}`, rowKey: key`${'id'}` })
class Note {
  tenant = ''
  id = ''
  text?: string
}

declare const account: Account

describe('within', () => {
  const acme = account.table(Invoice).within({ tenant: 'acme' })
  const notes = account.table(Note).within({ tenant: 'acme' })

  it('takes entities and keys without the fixed property', async () => {
    const made = await acme.insert({ region: 'eu', no: 1, total: 2 })
    expectTypeOf(made).toEqualTypeOf<{ region: string; no: number; total: number }>()
    void acme.get({ region: 'eu', no: 1 })
    void acme.query().where({ region: 'eu' }).select('total')
    void acme.batch().insert(made).delete({ region: 'eu', no: 2 }, { etag: '*' })
    void notes.insert({ id: 'n1', text: 'hello' })
  })

  it('does not compile with the fixed property', () => {
    // @ts-expect-error 1: an insert
    void acme.insert({ tenant: 'bolt', region: 'eu', no: 1, total: 2 })
    // @ts-expect-error 2: a key
    void acme.get({ tenant: 'bolt', region: 'eu', no: 1 })
    // @ts-expect-error 3: a condition
    void acme.query().where({ tenant: 'bolt' })
    // @ts-expect-error 4: a condition as a function
    void acme.query().where((row) => row.tenant.eq('bolt'))
    // @ts-expect-error 5: a projection
    void acme.query().select('tenant')
    // @ts-expect-error 6: a batch
    void acme.batch().insert({ tenant: 'bolt', region: 'eu', no: 1, total: 2 })
    // @ts-expect-error 7: a change of it
    void acme.modify({ region: 'eu', no: 1 }, (row) => void Object.assign(row, row.tenant))
    // @ts-expect-error 8: a class
    void notes.find({ tenant: 'bolt', id: 'n1' })
  })

  it('has indexes and summaries without the fixed property', () => {
    const indexes = declareIndexes(Invoice, {
      total: { rowKey: key`${'total:8'}`, unique: true },
      everywhere: { partitionKey: key`all`, rowKey: key`${'tenant'}_${'region'}_${'no:8'}` },
    })
    const summaries = declareSummaries(Invoice, { all: { rowKey: key`all`, sums: ['total'] } })
    const own = indexes.on(acme)
    expectTypeOf(own.find('total', { region: 'eu', total: 1 })).resolves.toEqualTypeOf<
      { region: string; no: number; total: number } | undefined
    >()
    void own.query('everywhere', { region: 'eu' }).select('total')
    void summaries.on(acme).get('all', { region: 'eu' })
    // @ts-expect-error 13: a value of an index
    void own.find('total', { tenant: 'bolt', region: 'eu', total: 1 })
    // @ts-expect-error 14: a condition of a query by an index
    void own.query('everywhere', { tenant: 'bolt' })
    // @ts-expect-error 15: a sum
    void summaries.on(acme).get('all', { tenant: 'bolt', region: 'eu' })
    // @ts-expect-error 16: a table that has all rows
    void indexes.on(account.table(Invoice))
    // @ts-expect-error 17: what all rows have in common
    void indexes.on(acme).build()
  })

  it('has large values whose entities lack the fixed property', () => {
    const Scan = defineEntity({
      name: 'scans',
      partitionKey: key`${'tenant'}`,
      rowKey: key`${'id'}`,
      schema: z.object({ tenant: z.string(), id: z.string(), page: z.string().optional() }),
    })
    const scans = account.table(Scan).within({ tenant: 'acme' })
    const store = () => chunkStore(account, { table: 'pages' })
    const pages = declareLargeValues(Scan, { property: 'page', store }).on(scans)
    void pages.stage({ id: '1' }, new Uint8Array(1))
    void scans.get({ id: '1' }).then((scan) => pages.save(scan, new Uint8Array(1)))
    // @ts-expect-error 20: a new object
    void pages.stage({ tenant: 'bolt', id: '1' }, new Uint8Array(1))
    // @ts-expect-error 21: the large values of all rows
    void declareLargeValues(Scan, { property: 'page', store }).on(account).save({ id: '1' })
  })

  it('has rows that are over without the fixed property', () => {
    const Session = defineEntity({
      name: 'sessions',
      partitionKey: key`${'tenant'}`,
      rowKey: key`${'id'}`,
      schema: z.object({ tenant: z.string(), id: z.string(), gone: z.date().optional() }),
      lifetime: lifetime({ deletedAt: 'gone' }),
    })
    const sessions = lifetimeOf(account.table(Session).within({ tenant: 'acme' }))
    expectTypeOf(sessions.restore({ id: '1' })).resolves.toEqualTypeOf<{
      id: string
      gone?: Date | undefined
    }>()
    void lifetimeOf(account.table(Session)).restore({ tenant: 'acme', id: '1' })
    // @ts-expect-error 18: a row that is deleted softly
    void sessions.restore({ tenant: 'bolt', id: '1' })
    // @ts-expect-error 19: a query of all rows
    void sessions.all.query().where({ tenant: 'bolt' })
  })

  it('has no method that is about the whole table', () => {
    // @ts-expect-error 9: the table itself
    void acme.drop()
    // @ts-expect-error 10: a partition by its text
    void acme.deletePartition('bolt;eu')
    const terms = { permissions: 'r', expiry: new Date(), from: { partitionKey: 'a' } } as const
    // @ts-expect-error 11: a range of keys
    void acme.sas({ ...terms, from: { partitionKey: 'a' } })
    // @ts-expect-error 12: a property that is not part of the key
    void account.table(Invoice).within({ total: 1 })
  })
})
