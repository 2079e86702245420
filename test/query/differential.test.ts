import { localTableService } from '@rowkey/local'
import { Account } from '@rowkey/mapper'
import { compareKeys, type DynamicEntity } from '@rowkey/odata'
import { noRetry, tableService } from '@rowkey/rest'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { longTest } from '../support/cases-to-play.ts'
import { arbitraryEntities, arbitraryQuestion, everyType, isMatch } from './arbitrary-tables.ts'
import { keysOf } from './table-source.ts'

/** A table of the embedded service that holds these entities. */
async function tableOf(entities: readonly DynamicEntity[]) {
  const { transport, connectionString } = localTableService()
  const service = tableService({ connectionString: connectionString(), transport, retry: noRetry })
  const table = new Account(service).table('people')
  await table.create()
  for (const entity of entities) await table.insert(entity)
  return table
}

const questions = fc.record({
  entities: arbitraryEntities(everyType),
  filters: fc.array(arbitraryQuestion(everyType), { minLength: 1, maxLength: 8 }),
  pageSize: fc.integer({ min: 1, max: 20 }),
  take: fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }),
})

it('R-28: the embedded service and the evaluation in memory find the same rows, in the same order', async () => {
  const property = fc.asyncProperty(questions, async ({ entities, filters, pageSize, take }) => {
    const table = await tableOf(entities)
    const all = table.query().allowTableScan().pageSize(pageSize)
    for (const filter of filters) {
      const expected = entities.filter((entity) => isMatch(filter, entity)).toSorted(compareKeys)
      const query = take === undefined ? all.where(filter) : all.where(filter).take(take)
      const found = await query.toArray()
      expect(keysOf(found)).toEqual(keysOf(expected.slice(0, take)))
    }
  })
  await fc.assert(property, { numRuns: 60 })
})

it('a local filter keeps the same rows as the service', async () => {
  const property = fc.asyncProperty(questions, async ({ entities, filters, pageSize }) => {
    const table = await tableOf(entities)
    const all = table.query().allowTableScan().pageSize(pageSize)
    for (const filter of filters) {
      const found = await all.where(filter).toArray()
      expect(keysOf(await all.filterLocally(filter).toArray())).toEqual(keysOf(found))
    }
  })
  await fc.assert(property, { numRuns: 30 })
})

longTest('a query of several partitions finds the rows of one query', async () => {
  const property = fc.asyncProperty(questions, async ({ entities, filters, pageSize }) => {
    const table = await tableOf(entities)
    const partitions = entities.map(({ partitionKey }) => partitionKey)
    const all = table.query().allowTableScan().pageSize(pageSize)
    for (const filter of filters.slice(0, 3)) {
      const found = await all.where(filter).toArray()
      const spread = all.where(filter).inPartitions(partitions, { concurrency: 3 })
      expect(keysOf(await spread.toArray())).toEqual(keysOf(found))
      expect(await spread.count()).toBe(found.length)
    }
  })
  await fc.assert(property, { numRuns: 30 })
})
