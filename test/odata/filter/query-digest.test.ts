import { fnv1a, queryDigest } from '@rowkey/odata'
import { expect, it } from 'vitest'

const query = { table: 'people', filter: "PartitionKey eq 'Smith'", select: ['RowKey', 'age'] }

it('returns a short text that is the same for the same query', () => {
  expect(queryDigest(query)).toMatch(/^[0-9a-z]{1,7}$/)
  expect(queryDigest({ ...query })).toBe(queryDigest(query))
})

it('ignores the case of the table name, as the service does', () => {
  expect(queryDigest({ ...query, table: 'PEOPLE' })).toBe(queryDigest(query))
})

it('does not distinguish an absent from an empty filter or select', () => {
  expect(queryDigest({ table: 'people' })).toBe(
    queryDigest({ table: 'people', filter: '', select: [] }),
  )
})

it.each([
  [{ ...query, table: 'persons' }],
  [{ ...query, table: undefined }],
  [{ ...query, filter: undefined }],
  [{ ...query, filter: "PartitionKey eq 'Smyth'" }],
  [{ ...query, select: undefined }],
  [{ ...query, select: ['age', 'RowKey'] }],
  [{ ...query, select: ['RowKey,age'] }],
  [{ table: 'people', filter: query.filter, select: ['RowKey'] }],
])('is different for %j', (other) => {
  expect(queryDigest(other)).not.toBe(queryDigest(query))
})

it('hashes a text with FNV-1a, and otherwise with another seed', () => {
  expect(fnv1a('')).toBe(0x811c9dc5)
  expect(fnv1a('a')).toBe(0xe40c292c)
  expect(fnv1a('foobar')).toBe(0xbf9cf968)
  expect(fnv1a('a', 1)).not.toBe(fnv1a('a'))
})
