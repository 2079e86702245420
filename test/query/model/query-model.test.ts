import { dynamicQueryModel } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { invalidName } from '../../support/rejections.ts'

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
