import { DynamicEntity, EntityProperty } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { sourcesOf, withKeys } from '../../../packages/query/src/key/row-key.ts'
import { rowLookup } from '../../../packages/query/src/row-property.ts'
import { customerModel } from '../customer.ts'
import { keyModel } from './key-model.ts'

const lookup = withKeys(keyModel, rowLookup(keyModel))

describe('withKeys', () => {
  it('finds the keys of a row, which no property of it holds whole', () => {
    const row = { state: 'WA', city: 'Seattle', no: 7, age: 30, line: 2 }
    expect(lookup(row, 'PartitionKey')).toEqual({ type: 'String', value: 'WA;Seattle' })
    expect(lookup(row, 'RowKey')).toEqual({ type: 'String', value: 'o_000796902' })
    expect(lookup(row, 'no')).toMatchObject({ type: 'Int32', value: 7 })
  })

  it('takes the keys of an untyped row as they are', () => {
    const row = new DynamicEntity('p', 'r', { state: EntityProperty.string('WA') })
    expect(lookup(row, 'PartitionKey')).toMatchObject({ value: 'p' })
    expect(lookup(row, 'RowKey')).toMatchObject({ value: 'r' })
  })

  it('changes nothing where a property is the whole key', () => {
    const plain = rowLookup(customerModel)
    expect(withKeys(customerModel, plain)).toBe(plain)
  })
})

describe('sourcesOf', () => {
  it('tells the parts of a key, and of anything else the name itself', () => {
    expect(sourcesOf(keyModel, 'PartitionKey')).toEqual(['state', 'city'])
    expect(sourcesOf(keyModel, 'RowKey')).toEqual(['no', 'age', 'line'])
    expect(sourcesOf(keyModel, 'name')).toEqual(['name'])
    expect(sourcesOf(customerModel, 'PartitionKey')).toEqual(['PartitionKey'])
  })
})
