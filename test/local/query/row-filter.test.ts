import { type DateTimeValue, type FilterNode, parseFilter } from '@rowkey/odata'
import { expect, it } from 'vitest'
import type { StoredProperty } from '../../../packages/local/src/entity/entity-text.ts'
import { StoredEntity } from '../../../packages/local/src/entity/stored-entity.ts'
import { rowFilter } from '../../../packages/local/src/query/row-filter.ts'
import { storedRow } from '../../support/stored-row.ts'
import { filteredEntity, filterMatches } from '../../vectors/filter-matches.ts'

const { PartitionKey, RowKey, Timestamp, ...properties } = filteredEntity
const row = storedRow(
  { partitionKey: String(PartitionKey?.value), rowKey: String(RowKey?.value) },
  Timestamp?.value as DateTimeValue,
  // Each has the value of its type.
  Object.entries(properties) as [string, StoredProperty][],
)

/** More properties than are looked up one by one. */
const MANY = Array.from({ length: 20 }, (_, at) => `other${at} eq ${at}`).join(' or ')

it.each(filterMatches)('rowFilter: %s is %s, alone and among many properties', (text, expected) => {
  expect(rowFilter(parseFilter(text), 'storage').matches(row)).toBe(expected)
  expect(rowFilter(parseFilter(`(${text}) or ${MANY}`), 'storage').matches(row)).toBe(expected)
})

it('rowFilter counts its tests', () => {
  expect(rowFilter(parseFilter(`a eq 1 and a eq 2 or b`), 'storage').tests).toBe(3)
  expect(rowFilter(undefined, 'storage')).toMatchObject({ tests: 0 })
})

it('R-177: rowFilter matches no Timestamp on Cosmos DB', () => {
  const filter = parseFilter("Timestamp ge datetime'2000-01-01T00:00:00Z'") as FilterNode
  expect(rowFilter(filter, 'storage').matches(row)).toBe(true)
  expect(rowFilter(filter, 'cosmos').matches(row)).toBe(false)
})

it('rowFilter reads a row once, however often a property is tested', () => {
  let reads = 0
  class CountedRow extends StoredEntity {
    override property(name: string) {
      reads++
      return super.property(name)
    }
  }
  const counted = new CountedRow(row.text)
  const text = Array.from({ length: 500 }, (_, at) => `Small eq ${at + 10}`).join(' or ')
  expect(rowFilter(parseFilter(text), 'storage').matches(counted)).toBe(false)
  expect(reads).toBe(1)
})
