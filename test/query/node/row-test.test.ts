import { DynamicEntity, EntityProperty } from '@rowkey/odata'
import { dynamicQueryModel } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { lookupWithKeys } from '../../../packages/query/src/node/row-test.ts'
import { customerModel } from '../customer.ts'
import { keyModel } from '../key/key-model.ts'

describe('lookupWithKeys', () => {
  it('finds the properties of a class by their stored names, with their declared types', () => {
    const lookup = lookupWithKeys(customerModel)
    const row = { lastName: 'Smith', customerEmailAddress: 'a@b.c', rating: 5 }
    expect(lookup(row, 'PartitionKey')).toMatchObject({ type: 'String', value: 'Smith' })
    expect(lookup(row, 'cea')).toMatchObject({ type: 'String', value: 'a@b.c' })
    expect(lookup(row, 'rating')).toMatchObject({ type: 'Double', value: 5 })
    expect(lookup(row, 'age')).toBeUndefined()
    expect(lookup({ age: null }, 'age')).toBeUndefined()
  })

  it('finds the properties of an untyped entity with their stored types', () => {
    const lookup = lookupWithKeys(dynamicQueryModel('people'))
    const row = new DynamicEntity('Smith', 'Jeff', { rating: EntityProperty.double(5) })
    row.timestamp = new Date(0)
    expect(lookup(row, 'PartitionKey')).toMatchObject({ type: 'String', value: 'Smith' })
    expect(lookup(row, 'RowKey')).toMatchObject({ value: 'Jeff' })
    expect(lookup(row, 'Timestamp')).toMatchObject({ type: 'DateTime', value: new Date(0) })
    expect(lookup(row, 'rating')).toMatchObject({ type: 'Double', value: 5 })
    expect(lookup(row, 'age')).toBeUndefined()
  })

  it("finds the members of another client's rows", () => {
    const lookup = lookupWithKeys(dynamicQueryModel('people'))
    expect(lookup({ rowKey: 'Jeff', age: 30 }, 'RowKey')).toMatchObject({ value: 'Jeff' })
    expect(lookup({ rowKey: 'Jeff', age: 30 }, 'age')).toMatchObject({ type: 'Int32', value: 30 })
  })
})

const lookup = lookupWithKeys(keyModel)

describe('lookupWithKeys of keys that consist of parts', () => {
  it('composes the keys of a row', () => {
    const row = { state: 'WA', city: 'Seattle', no: 7, age: 30, line: 2 }
    expect(lookup(row, 'PartitionKey')).toEqual({ type: 'String', value: 'WA;Seattle' })
    expect(lookup(row, 'RowKey')).toEqual({ type: 'String', value: 'o_000796902' })
    expect(lookup(row, 'no')).toMatchObject({ type: 'Int32', value: 7 })
  })

  it('returns the keys of an untyped row as they are', () => {
    const row = new DynamicEntity('p', 'r', { state: EntityProperty.string('WA') })
    expect(lookup(row, 'PartitionKey')).toMatchObject({ value: 'p' })
    expect(lookup(row, 'RowKey')).toMatchObject({ value: 'r' })
  })
})
