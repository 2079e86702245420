import { DynamicEntity, EntityProperty, type RawEntity } from '@rowkey/odata'
import { findEntity, perform, type TableService } from '@rowkey/rest'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomSteps } from '../support/random-steps.ts'
import { freshAccount } from './fresh-account.ts'
import { type RandomColumn, randomColumns, randomModel, writtenAndRead } from './random-model.ts'

const OF_THE_SERVICE: readonly string[] = ['odata.metadata', 'odata.etag', 'Timestamp']

/** An entity as it is on the wire, without what every write changes. */
async function wireOf(service: TableService, rowKey: string): Promise<RawEntity> {
  const key = { partitionKey: 'p', rowKey }
  const found = await perform(service, findEntity, { table: 'rows', key }, {})
  return Object.fromEntries(
    Object.entries(found?.raw ?? {}).filter(([name]) => !OF_THE_SERVICE.includes(name)),
  )
}

/** Without one property. */
function others(raw: RawEntity, name: string): RawEntity {
  const { [name]: _value, [`${name}@odata.type`]: _type, ...rest } = raw
  return rest
}

function rowOf(rowKey: string, columns: Readonly<Record<string, RandomColumn>>): DynamicEntity {
  const row = new DynamicEntity('p', rowKey)
  for (const [name, { type, value }] of Object.entries(columns)) {
    row.set(name, EntityProperty.of(value, type, name))
  }
  return row
}

describe('a read-modify-write', () => {
  it('changes only the edited property, bit for bit, under any model', async () => {
    const { account, service } = freshAccount()
    const rows = account.table('rows')
    await rows.create()
    let count = 0
    await fc.assert(
      fc.asyncProperty(
        randomColumns,
        fc.nat(),
        fc.constantFrom('merge' as const, 'replace' as const),
        async (columns, at, method) => {
          const rowKey = String(count++)
          await rows.insert(rowOf(rowKey, columns))
          const before = await wireOf(service, rowKey)
          const table = account.table(randomModel(columns), 'rows')
          const entity = await table.get(['p', rowKey])
          await table.merge(entity)
          expect(await wireOf(service, rowKey)).toEqual(before)

          const declared = Object.entries(columns).filter(
            ([, column]) => column.declared !== 'undeclared',
          )
          const [name, column] = declared[at % declared.length] ?? []
          if (name !== undefined) entity[name] = column?.next
          await table[method](entity)
          const after = await wireOf(service, rowKey)
          expect(others(after, name ?? '')).toEqual(others(before, name ?? ''))
          if (name === undefined) return
          const read = await table.get(['p', rowKey])
          expect(read[name]).toEqual(column?.next)
        },
      ),
      { numRuns: randomSteps(500) },
    )
  })
})

describe('a random model', () => {
  it('reads every value back as it was written, bit for bit', async () => {
    const { account } = freshAccount()
    await account.createTable('rows')
    let count = 0
    await fc.assert(
      fc.asyncProperty(randomColumns, async (columns) => {
        const { written, read, changes } = await writtenAndRead(account, columns, String(count++))
        expect(read).toBe(written)
        expect(changes).toBeUndefined()
      }),
      { numRuns: randomSteps(500) },
    )
  })
})
