import { Account, keepRows, Operation, type Table } from '@rowkey/mapper'
import { parseFilter } from '@rowkey/odata'
import { insertEntity, noRetry, SasCredential, tableService } from '@rowkey/rest'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomSteps } from '../../support/random-steps.ts'
import { type Invoice, tenants } from './tenants.ts'

const isAcme = (isWhole: boolean) => (partition: string) =>
  isWhole ? partition === 'acme' : partition.startsWith('acme;')

const outside = expect.objectContaining({ name: 'InputError', code: 'OutsideWithin' })

describe.each([false, true])(
  'within a tenant whose name is the whole PartitionKey: %s',
  (isWhole) => {
    it('writes and reads need the fixed property no more', async () => {
      const { acme, whole } = await tenants(isWhole)
      const made = await acme.insert({ region: 'eu', no: 2, total: 5 })
      expect(made).toMatchObject({ tenant: 'acme', region: 'eu', no: 2 })
      expect(await acme.get({ region: 'eu', no: 2 })).toMatchObject({ tenant: 'acme', total: 5 })
      await acme.modify({ region: 'eu', no: 2 }, (invoice) => {
        invoice.total += 1
      })
      await acme.batch().insertOrReplace({ region: 'eu', no: 3, total: 7 }).submit()
      await acme.bulk().insert([{ region: 'eu', no: 4, total: 8 }])
      expect(await whole.get({ tenant: 'acme', region: 'eu', no: 2 })).toMatchObject({ total: 6 })
      expect((await acme.query().toArray()).map(({ no }) => no).sort()).toEqual([1, 1, 2, 3, 4])
      await acme.delete({ region: 'eu', no: 2 }, { etag: '*' })
      expect(await acme.find({ region: 'eu', no: 2 })).toBeUndefined()
    })

    it('a copy of a frozen object gets the fixed property', async () => {
      const { acme } = await tenants(isWhole)
      const given = Object.freeze({ region: 'eu', no: 2, total: 5 })
      expect(await acme.insert(given)).toMatchObject({ tenant: 'acme', no: 2 })
      expect(given).not.toHaveProperty('tenant')
    })

    it('a row of another tenant is rejected before anything is sent', async () => {
      const { acme, whole, sent } = await tenants(isWhole)
      const foreign = await whole.get({ tenant: 'bolt', region: 'eu', no: 1 })
      const unchanged = await whole.get({ tenant: 'bolt', region: 'us', no: 1 })
      foreign.total = 9
      sent.length = 0
      const pair: [string, string] = isWhole ? ['acme2', 'eu;0001'] : ['acme2;eu', '0001']
      const calls: (() => Promise<unknown>)[] = [
        () => acme.get(pair),
        () => acme.get({ tenant: 'bolt', region: 'eu', no: 1 } as never),
        () => acme.find(foreign),
        () => acme.exists(pair),
        () => acme.getMany([pair]),
        () => acme.insert({ tenant: 'bolt', region: 'eu', no: 2, total: 1 } as never),
        () => acme.merge(foreign),
        () => acme.merge(unchanged),
        () => acme.replace(foreign),
        () => acme.insertOrMerge(foreign),
        () => acme.insertOrReplace(foreign),
        () => acme.delete(foreign),
        () => acme.delete(pair, { etag: '*' }),
        () => acme.deleteIfExists(foreign),
        () => acme.reload(foreign),
        () => acme.modify(pair, () => {}),
        () => acme.execute(Operation.merge(foreign)),
        () => acme.execute([Operation.retrieve(...pair)]),
        async () => acme.batch().delete(foreign).submit(),
        () => acme.buffered().merge(foreign),
        async () => (acme as unknown as Table<Invoice>).deletePartition(pair[0]),
        async () => (acme as unknown as Table<Invoice>).drop(),
        async () => (acme as unknown as Table<Invoice>).dropIfExists(),
        async () => (acme as unknown as Table<Invoice>).accessPolicies,
      ]
      for (const call of calls) await expect(call(), String(call)).rejects.toThrow(outside)
      await expect(acme.bulk().merge([foreign])).rejects.toMatchObject({ cause: outside })
      expect(sent).toEqual([])
    })

    it('a query for another tenant finds nothing', async () => {
      const { acme, seen } = await tenants(isWhole)
      const rows = await acme
        .query()
        .where({ tenant: 'bolt' } as never)
        .toArray()
        .catch(() => [])
      expect(rows).toEqual([])
      expect(seen.filter((partition) => !isAcme(isWhole)(partition))).toEqual([])
    })

    it('deleteAll deletes all rows of the tenant, also those of keepers and of other models', async () => {
      const { acme, whole, Model } = await tenants(isWhole)
      keepRows(Model, shadow)
      await acme.insert({ region: 'eu', no: 2, total: 5 })
      const { service } = whole.parts
      const partitionKey = isWhole ? 'acme' : 'acme;eu'
      const other = { PartitionKey: partitionKey, RowKey: 'zz', x: 1 }
      const input = {
        table: 'invoices',
        key: { partitionKey, rowKey: 'zz' },
        body: JSON.stringify(other),
      }
      await service.call({}, 'test', (call) => call.perform(insertEntity, input))
      const { done } = await acme.deleteAll()
      expect(done).toBeGreaterThanOrEqual(4)
      const left = new Account(service).table('invoices')
      const rows = await left.query().allowTableScan().toArray()
      expect(new Set(rows.map((row) => row.partitionKey.split(';')[0]))).toEqual(
        new Set(['acme2', 'bolt']),
      )
    })

    it('sas grants the keys of the tenant and no others', async () => {
      const { acme, Model, transport } = await tenants(isWhole)
      const expiry = new Date(Date.now() + 3_600_000)
      const { token } = acme.sas({ permissions: 'r', expiry })
      const endpoint = 'http://localhost/devstoreaccount1'
      const service = tableService({
        endpoint,
        credential: new SasCredential(token),
        transport,
        retry: noRetry,
      })
      const limited = new Account(service).table(Model) as Table<Invoice>
      expect(await limited.get({ tenant: 'acme', region: 'us', no: 1 })).toMatchObject({ total: 1 })
      for (const tenant of ['acme2', 'bolt']) {
        const read = limited.get({ tenant, region: 'us', no: 1 })
        await expect(read).rejects.toThrow()
      }
      const wider = { permissions: 'r', expiry, from: { partitionKey: 'a' } } as never
      expect(() => acme.sas(wider)).toThrow(outside)
    })

    it('a random call makes no request outside', async () => {
      const { acme, whole, seen, filters } = await tenants(isWhole)
      const others = async () => {
        const all = await whole.query().allowTableScan().toArray()
        return all.filter(({ tenant }) => tenant !== 'acme').map((row) => JSON.stringify(row))
      }
      const before = await others()
      const known: Invoice[] = await whole.query().allowTableScan().toArray()
      await fc.assert(
        fc.asyncProperty(calls, async ({ which, tenant, region, no, total, at }) => {
          seen.length = 0
          filters.length = 0
          const entity = { region, no, total, ...(tenant === '' ? {} : { tenant }) } as Invoice
          const stored = known[at % known.length] as Invoice
          const [, call] = CALLS[which % CALLS.length] as (typeof CALLS)[number]
          try {
            await call(acme as unknown as Table<Invoice>, entity, stored)
          } catch (error) {
            if (!(error instanceof Error) || error instanceof TypeError) throw error
          }
          expect(seen.filter((partition) => !isAcme(isWhole)(partition))).toEqual([])
          for (const filter of filters)
            expect(String(JSON.stringify(parseFilter(filter)))).toContain('acme')
        }),
        { numRuns: randomSteps(4_000) },
      )
      expect(await others()).toEqual(before)
    })
  },
)

const calls = fc.record({
  which: fc.nat(1_000),
  tenant: fc.constantFrom('', '', '', 'acme', 'bolt', 'acme2'),
  region: fc.constantFrom('eu', 'us'),
  no: fc.integer({ min: 1, max: 3 }),
  total: fc.integer({ min: 1, max: 5 }),
  at: fc.nat(20),
})

type AnyCall = (table: Table<Invoice>, entity: Invoice, stored: Invoice) => unknown

/** Every method, with an entity that may name any tenant, and one that was read from any. */
const CALLS: readonly (readonly [string, AnyCall])[] = [
  ['get', (table, { tenant: _, ...entity }) => table.get(entity as never)],
  ['find', (table, entity) => table.find(entity)],
  ['exists', (table, entity) => table.exists(entity)],
  ['getMany', (table, entity, stored) => table.getMany([entity, stored])],
  ['insert', (table, entity) => table.insert(entity)],
  ['merge', (table, entity) => table.merge(entity, { etag: '*' })],
  ['merge', (table, _, stored) => table.merge(Object.assign(stored, { total: stored.total + 1 }))],
  ['replace', (table, _, stored) => table.replace(stored)],
  ['insertOrMerge', (table, entity) => table.insertOrMerge(entity)],
  ['insertOrReplace', (table, entity) => table.insertOrReplace(entity)],
  ['delete', (table, entity) => table.delete(entity, { etag: '*' })],
  ['deleteIfExists', (table, _, stored) => table.deleteIfExists(stored)],
  ['reload', (table, _, stored) => table.reload(stored)],
  [
    'modify',
    (table, entity) =>
      table.modify(entity, (row) => void Object.assign(row, { total: row.total + 1 })),
  ],
  ['orInsert', (table, entity) => table.modify(entity, () => {}, { orInsert: entity })],
  ['batch', (table, entity, stored) => table.batch().insertOrMerge(entity).merge(stored).submit()],
  ['bulk', (table, entity, stored) => table.bulk().insertOrReplace([entity, stored])],
  ['execute', (table, entity) => table.execute(Operation.insertOrReplace(entity))],
  ['query', (table, { region }) => table.query().where({ region }).allowTableScan().toArray()],
  ['query by tenant', (table, { tenant }) => table.query().where({ tenant }).toArray()],
  ['count', (table) => table.query().count()],
  ['first', (table) => table.query().first()],
  ['partitions', (table) => table.query().inPartitions(['acme;eu', 'bolt;eu', 'bolt']).toArray()],
  ['delete rows', (table, { no }) => table.query().where({ no }).allowTableScan().deleteAll()],
  ['deletePartition', (table, { tenant }) => table.deletePartition(`${tenant};eu`)],
  ['deleteAll', (table) => table.deleteAll()],
  ['sweepMarkers', (table) => table.sweepMarkers()],
  [
    'buffered',
    async (table, entity) => {
      await using writer = table.buffered()
      await writer.insertOrMerge(entity)
    },
  ],
]

/** Keeps a row beside each entity. */
const shadow: Parameters<typeof keepRows>[1] = {
  touches: () => true,
  plan: async (transitions) => ({
    companions: transitions.flatMap(({ key: { partitionKey, rowKey } }) => {
      const kept = { PartitionKey: partitionKey, RowKey: `~rk~s~${rowKey}` }
      const input = {
        table: 'invoices',
        key: { partitionKey, rowKey: kept.RowKey },
        body: JSON.stringify(kept),
      }
      return [{ operation: insertEntity, input }]
    }),
    rejected: async (_, error) => error,
  }),
}

describe('within', () => {
  it('is needed for deleteAll', async () => {
    const { whole } = await tenants()
    expect(() => whole.deleteAll()).toThrow('needs fixed properties')
  })
})
