import { dynamicQueryModel } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import {
  resolveColumn,
  resolveFilterColumn,
  selectNames,
} from '../../../packages/query/src/model/query-model.ts'
import { invalidName, invalidQuery } from '../../support/rejections.ts'
import { customerModel } from '../customer.ts'

const model = dynamicQueryModel('people')

describe('dynamicQueryModel', () => {
  it.each([
    ['partitionKey', 'PartitionKey', 'String'],
    ['PartitionKey', 'PartitionKey', 'String'],
    ['rowKey', 'RowKey', 'String'],
    ['RowKey', 'RowKey', 'String'],
    ['timestamp', 'Timestamp', 'DateTime'],
    ['Timestamp', 'Timestamp', 'DateTime'],
    ['age', 'age', undefined],
    ['constructor', 'constructor', undefined],
  ])('stores %s as %s', (property, name, type) => {
    expect(model.column(property)).toMatchObject({ name, type })
  })

  it.each(['', 'age eq 1 or age', 'a-b', 'a.b', "a'", '1a', 'x'.repeat(256)])(
    'rejects the name %j',
    (property) => {
      expect(() => model.column(property)).toThrow(invalidName)
    },
  )
})

describe('resolveColumn', () => {
  it('finds the stored name', () => {
    expect(resolveColumn(customerModel, 'customerEmailAddress').name).toBe('cea')
  })

  it('rejects an unknown property, and names the model, the property and the known ones', () => {
    const act = () => resolveColumn(customerModel, 'lastname')
    expect(act).toThrow(invalidQuery)
    expect(act).toThrow(
      /^Customer does not store a property 'lastname'\. It stores: lastName, firstName, /,
    )
  })

  it('lists nothing for a model without a list', () => {
    const model = { name: 'Unlisted', column: () => undefined }
    expect(() => resolveColumn(model, 'age')).toThrow(/a property 'age'\.$/)
  })
})

describe('resolveFilterColumn', () => {
  it('finds a property that can be compared', () => {
    expect(resolveFilterColumn(customerModel, 'age').name).toBe('age')
  })

  it('rejects a property that cannot be compared, and says why', () => {
    const act = () => resolveFilterColumn(customerModel, 'ssn')
    expect(act).toThrow(invalidQuery)
    expect(act).toThrow('Conditions cannot use Customer.ssn: It is encrypted.')
  })
})

describe('selectNames', () => {
  it('R-36: adds the keys and Timestamp to every projection, by stored names', () => {
    expect(selectNames(customerModel, ['customerEmailAddress', 'age'])).toEqual([
      'PartitionKey',
      'RowKey',
      'Timestamp',
      'cea',
      'age',
    ])
  })

  it('has each name once', () => {
    expect(selectNames(customerModel, ['age', 'lastName', 'age'])).toEqual([
      'PartitionKey',
      'RowKey',
      'Timestamp',
      'age',
    ])
  })

  it('accepts a property that conditions cannot use', () => {
    expect(selectNames(customerModel, ['ssn'])).toContain('ssn')
  })

  it('rejects any projection of entities that must be read whole, and says why', () => {
    const signed = { ...customerModel, wholeOnly: 'Its signature covers the whole.' }
    expect(() => selectNames(signed, ['age'])).toThrow(invalidQuery)
    expect(() => selectNames(signed, ['age'])).toThrow(
      'Customer cannot be read with .select: Its signature covers the whole.',
    )
  })

  it('R-38: accepts as many names as an entity has properties, and no more', () => {
    const names = (count: number) => Array.from({ length: count }, (_, index) => `p${index}`)
    const model = dynamicQueryModel('wide')
    expect(selectNames(model, names(252))).toHaveLength(255)
    expect(() => selectNames(model, names(253))).toThrow(invalidQuery)
    expect(() => selectNames(model, names(253))).toThrow(/256 stored names.*255/)
  })

  it('rejects an empty projection, and one of a property that is not stored', () => {
    expect(() => selectNames(customerModel, [])).toThrow(invalidQuery)
    expect(() => selectNames(customerModel, ['selected'])).toThrow(invalidQuery)
  })
})
