import { DynamicEntity, EntityProperty } from '@rowkey/odata'
import { dynamicQueryModel } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { rowLookup } from '../../packages/query/src/row-property.ts'
import { customerModel } from './customer.ts'

describe('rowLookup', () => {
  it('finds the properties of a class by their stored names, with their declared types', () => {
    const lookup = rowLookup(customerModel)
    const row = { lastName: 'Smith', customerEmailAddress: 'a@b.c', rating: 5 }
    expect(lookup(row, 'PartitionKey')).toMatchObject({ type: 'String', value: 'Smith' })
    expect(lookup(row, 'cea')).toMatchObject({ type: 'String', value: 'a@b.c' })
    expect(lookup(row, 'rating')).toMatchObject({ type: 'Double', value: 5 })
    expect(lookup(row, 'age')).toBeUndefined()
    expect(lookup({ age: null }, 'age')).toBeUndefined()
  })

  it('finds the properties of an untyped entity with the types they are stored with', () => {
    const lookup = rowLookup(dynamicQueryModel('people'))
    const row = new DynamicEntity('Smith', 'Jeff', { rating: EntityProperty.double(5) })
    row.timestamp = new Date(0)
    expect(lookup(row, 'PartitionKey')).toMatchObject({ type: 'String', value: 'Smith' })
    expect(lookup(row, 'RowKey')).toMatchObject({ value: 'Jeff' })
    expect(lookup(row, 'Timestamp')).toMatchObject({ type: 'DateTime', value: new Date(0) })
    expect(lookup(row, 'rating')).toMatchObject({ type: 'Double', value: 5 })
    expect(lookup(row, 'age')).toBeUndefined()
  })

  it("finds the members of another client's rows", () => {
    const lookup = rowLookup(dynamicQueryModel('people'))
    expect(lookup({ rowKey: 'Jeff', age: 30 }, 'RowKey')).toMatchObject({ value: 'Jeff' })
    expect(lookup({ rowKey: 'Jeff', age: 30 }, 'age')).toMatchObject({ type: 'Int32', value: 30 })
  })
})
