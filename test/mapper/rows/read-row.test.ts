import { modelOf } from '@rowkey/mapper'
import { DecodeError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { mappingOf, oneType } from '../../../packages/mapper/src/layers/mapping.ts'
import { readRow, revealRow } from '../../../packages/mapper/src/rows/read-row.ts'
import { snapshotOf } from '../../../packages/mapper/src/snapshot/snapshot.ts'
import { Customer } from '../customer.ts'
import { plain } from '../plain-snapshot.ts'

const origin = { account: 'contoso', table: 'customers' }
const table = { name: 'customers', origin, types: oneType(mappingOf(modelOf(Customer))) }
const row = { PartitionKey: 'Smith', RowKey: 'Jeff', age: 5 }

describe('readRow', () => {
  it('lets entities know the table that they come from, and whether all was read', () => {
    const known = { origin, row, etag: 'W/"1"' }
    expect(plain(snapshotOf(readRow(table, row, 'W/"1"')))).toMatchObject({
      ...known,
      partial: false,
    })
    expect(plain(snapshotOf(readRow(table, row, 'W/"1"', true)))).toMatchObject({
      ...known,
      partial: true,
    })
  })

  it('names table and key of a row that does not fit', () => {
    const wrong = { ...row, age: 'five' }
    for (const read of [
      () => readRow(table, wrong),
      () => readRow(table, wrong, undefined, true),
    ]) {
      expect(read).toThrow(DecodeError)
      expect(read).toThrow(/ \(entity \["Smith","Jeff"\] of table customers\)$/)
    }
  })

  it('decrypts a row, and returns a plain row unchanged', () => {
    expect(revealRow(table, row)).toBe(row)
  })
})
