import { EntityKeyError, printFilter } from '@rowkey/odata'
import { QueryError, type QueryShape } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import {
  parallelNode,
  parallelSettings,
  partitionRanges,
} from '../../../packages/query/src/parallel/parallel-node.ts'
import { type Customer, customerModel } from '../customer.ts'

describe('parallelNode', () => {
  it('makes a filter of each range', () => {
    const ranges = [{ lastName: "O'Brien" }, { lastName: 'Smith', age: 30 }]
    const node = parallelNode<QueryShape<Customer>>(customerModel, { ranges, concurrency: 3 })
    expect(node.ranges.map(printFilter)).toEqual([
      "PartitionKey eq 'O''Brien'",
      "PartitionKey eq 'Smith' and age eq 30",
    ])
    expect(node).toMatchObject({ concurrency: 3, order: 'keys' })
  })

  it('names what is wrong', () => {
    const wrong = (given: unknown) => () => parallelNode(customerModel, given as never)
    expect(wrong({})).toThrow(/ranges must be given as an array/)
    expect(wrong({ ranges: [{ surname: 'x' }] })).toThrow(/surname/)
    expect(wrong({ ranges: [], concurency: 2 })).toThrow(/no option "concurency"/)
    expect(wrong(null)).toThrow(QueryError)
  })
})

describe('partitionRanges', () => {
  it('makes a filter of each partition, each once', () => {
    expect(partitionRanges(['b', 'a', 'b']).map(printFilter)).toEqual([
      "PartitionKey eq 'b'",
      "PartitionKey eq 'a'",
    ])
  })

  it('refuses what cannot be a PartitionKey', () => {
    expect(() => partitionRanges(['a\tb'])).toThrow(EntityKeyError)
  })
})

describe('parallelSettings', () => {
  it('has defaults', () => {
    expect(parallelSettings({})).toEqual({ concurrency: 8, order: 'keys' })
  })

  it('lists the orders', () => {
    expect(() => parallelSettings({ order: 'any' as never })).toThrow(/say 'keys' or 'arrival'/)
  })
})
