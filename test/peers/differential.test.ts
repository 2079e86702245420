import { compareKeys, EntityProperty } from '@rowkey/odata'
import fc from 'fast-check'
import { type Account, connect, type DynamicEntity } from 'rowkey'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  arbitraryEntities,
  arbitraryQuestion,
  everyType,
  isMatch,
  type PropertyPool,
} from '../query/arbitrary-tables.ts'
import type { Service } from './service.ts'
import { startAzurite } from './start-azurite.ts'

/** Digits below a millisecond do not count in Azurite's filters. */
const wholeMilliseconds = ['2014-08-22T00:50:30.123Z', '2014-08-22T00:50:30.124Z']

/** Azurite misreads literals with an exponent, and compares NaN and the infinities with no number. */
const plainNumbers = [-0.5, 0, 7, 7.25]

/** What Azurite 3.37.0 compares as the service does: every type, and each name has one type only. */
const pool: PropertyPool = {
  ...everyType,
  at: wholeMilliseconds.map((text) => EntityProperty.dateTime(new Date(text))),
  real: plainNumbers.map((value) => EntityProperty.double(value)),
}

const questions = fc.record({
  entities: arbitraryEntities(pool),
  filters: fc.array(arbitraryQuestion(pool), { minLength: 1, maxLength: 6 }),
})

const keysOf = (entities: readonly DynamicEntity[]) =>
  entities.map(({ partitionKey, rowKey }) => [partitionKey, rowKey])

let azurite: Service
let account: Account

beforeAll(async () => {
  azurite = await startAzurite()
  account = connect(azurite.connectionString)
})

afterAll(async () => {
  await account.close()
  await azurite.close()
})

it('Azurite and the evaluation in memory give the same rows, in the same order', async () => {
  let tables = 0
  const property = fc.asyncProperty(questions, async ({ entities, filters }) => {
    const table = account.table(`people${++tables}`)
    await table.create()
    for (const entity of entities) await table.insert(entity)
    for (const filter of filters) {
      const expected = entities.filter((entity) => isMatch(filter, entity)).toSorted(compareKeys)
      const found = await table.query().allowTableScan().where(filter).toArray()
      expect(keysOf(found)).toEqual(keysOf(expected))
    }
  })
  await fc.assert(property, { numRuns: 40 })
})
