import { expect, it } from 'vitest'
import { createService } from '../../../packages/local/src/service/create-service.ts'
import { placeOf } from '../../../packages/local/src/service/service.ts'

it('placeOf returns the same store for both locations, or one for each', async () => {
  const alone = createService({})
  expect(await placeOf(alone, true)).toBe(alone)
  const lagging = createService({ replication: { lag: 1 } })
  const [primary, secondary] = [await placeOf(lagging, false), await placeOf(lagging, true)]
  expect(primary.store).not.toBe(secondary.store)
  await primary.store.createTable('devstoreaccount1', 'people')
  expect(await lagging.store.tableNames('devstoreaccount1')).toEqual(['people'])
  expect(await secondary.store.tableNames('devstoreaccount1')).toEqual([])
})
