import { EntityProperty } from '@rowkey/odata'
import fc from 'fast-check'
import { type Account, connect, DynamicEntity } from 'rowkey'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { randomColumns, randomModel, writtenAndRead } from '../mapper/random-model.ts'
import type { Service } from './service.ts'
import { startAzurite } from './start-azurite.ts'

/** Azurite prints numbers as JavaScript does, which has no -0; the embedded service keeps it. */
const columnsForAzurite = randomColumns.filter((columns) =>
  Object.values(columns).every(({ value, next }) => !Object.is(value, -0) && !Object.is(next, -0)),
)

let azurite: Service
let account: Account
let count = 0

beforeAll(async () => {
  azurite = await startAzurite()
  account = connect(azurite.connectionString)
  await account.createTable('rows')
})

afterAll(async () => {
  await account.close()
  await azurite.close()
})

it('a random model gives every value back from Azurite, bit for bit', async () => {
  await fc.assert(
    fc.asyncProperty(columnsForAzurite, async (columns) => {
      const { written, read, changes } = await writtenAndRead(account, columns, String(count++))
      expect(read).toBe(written)
      expect(changes).toBeUndefined()
    }),
    { numRuns: 60 },
  )
})

it('a read-modify-write leaves every other property in Azurite as it was, bit for bit', async () => {
  const rows = account.table('rows')
  await fc.assert(
    fc.asyncProperty(
      columnsForAzurite,
      fc.constantFrom('merge' as const, 'replace' as const),
      async (columns, method) => {
        const row = new DynamicEntity('p', String(count++), { untouched: 5n })
        for (const [name, { type, value }] of Object.entries(columns)) {
          row.set(name, EntityProperty.of(value, type, name))
        }
        await rows.insert(row)
        const table = account.table(randomModel(columns), 'rows')
        const entity = await table.get(['p', row.rowKey])
        const declared = Object.entries(columns).find(([, each]) => each.declared !== 'undeclared')
        if (declared !== undefined) entity[declared[0]] = declared[1].next
        await table[method](entity)
        const after = await rows.get(['p', row.rowKey])
        for (const [name, property] of row.properties) {
          if (name !== declared?.[0]) expect([name, after.get(name)]).toEqual([name, property])
        }
      },
    ),
    { numRuns: 60 },
  )
})
