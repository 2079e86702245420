import { dynamicQueryModel, QueryError } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { selectNames } from '../../packages/query/src/select-names.ts'
import { customerModel } from './customer.ts'

describe('selectNames', () => {
  it('R-36: asks for the keys and Timestamp with every projection, by stored names', () => {
    expect(selectNames(customerModel, ['customerEmailAddress', 'age'])).toEqual([
      'PartitionKey',
      'RowKey',
      'Timestamp',
      'cea',
      'age',
    ])
  })

  it('asks for each name once', () => {
    expect(selectNames(customerModel, ['age', 'lastName', 'age'])).toEqual([
      'PartitionKey',
      'RowKey',
      'Timestamp',
      'age',
    ])
  })

  it('asks for what no condition can compare', () => {
    expect(selectNames(customerModel, ['ssn'])).toContain('ssn')
  })

  it('refuses any projection of entities that must be read whole, and says why', () => {
    const signed = { ...customerModel, wholeOnly: 'Its signature covers the whole.' }
    expect(() => selectNames(signed, ['age'])).toThrow(QueryError)
    expect(() => selectNames(signed, ['age'])).toThrow(
      'Customer cannot be read with select: Its signature covers the whole.',
    )
  })

  it('R-38: takes as many names as an entity has properties, and no more', () => {
    const names = (count: number) => Array.from({ length: count }, (_, index) => `p${index}`)
    const model = dynamicQueryModel('wide')
    expect(selectNames(model, names(252))).toHaveLength(255)
    expect(() => selectNames(model, names(253))).toThrow(QueryError)
    expect(() => selectNames(model, names(253))).toThrow(/256 names.*255/)
  })

  it('refuses a projection of nothing, and of what is not stored', () => {
    expect(() => selectNames(customerModel, [])).toThrow(QueryError)
    expect(() => selectNames(customerModel, ['selected'])).toThrow(QueryError)
  })
})
