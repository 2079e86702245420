import { queryEntities, queryTables } from '@rowkey/rest'
import { expect, it } from 'vitest'
import { locationOf } from '../../../packages/rest/src/paging/location-of.ts'

it('R-117: binds a query that goes on to where it began, and no other', () => {
  expect(locationOf({})).toBeUndefined()
  expect(locationOf({ continuation: { nextPartitionKey: 'a' } })).toBe('primary')
  expect(locationOf({ continuation: { location: 'secondary' } })).toBe('secondary')
})

it('is asked for entities and for tables', () => {
  expect(queryEntities.locationOf).toBe(locationOf)
  expect(queryTables.locationOf).toBe(locationOf)
})
