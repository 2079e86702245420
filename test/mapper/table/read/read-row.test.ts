import { modelOf } from '@rowkey/mapper'
import { DecodeError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { mappingOf } from '../../../../packages/mapper/src/layers/mapping.ts'
import { snapshotOf } from '../../../../packages/mapper/src/snapshot/snapshot.ts'
import { RowReader } from '../../../../packages/mapper/src/table/read/row-reader.ts'
import { Customer } from '../../customer.ts'

const origin = { account: 'contoso', table: 'customers' }
const rows = new RowReader('customers', origin, mappingOf(modelOf(Customer)).codec)
const row = { PartitionKey: 'Smith', RowKey: 'Jeff', age: 5 }

describe('RowReader', () => {
  it('lets entities know the table that they come from, and whether all was read', () => {
    const known = { origin, row, etag: 'W/"1"' }
    expect(snapshotOf(rows.read(row, 'W/"1"'))).toMatchObject({ ...known, partial: false })
    expect(snapshotOf(rows.read(row, 'W/"1"', true))).toMatchObject({ ...known, partial: true })
  })

  it('names table and key of a row that does not fit', () => {
    const wrong = { ...row, age: 'five' }
    for (const read of [() => rows.read(wrong), () => rows.read(wrong, undefined, true)]) {
      expect(read).toThrow(DecodeError)
      expect(read).toThrow(/ \(entity \["Smith","Jeff"\] of table customers\)$/)
    }
  })

  it('decrypts a row, and returns a plain row unchanged', () => {
    expect(rows.reveal(row)).toBe(row)
  })
})
