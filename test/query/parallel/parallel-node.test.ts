import { printFilter } from '@rowkey/odata'
import type { QueryShape } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { parallelNode, partitionsNode } from '../../../packages/query/src/parallel/parallel-node.ts'
import { invalidKey, invalidQuery } from '../../support/rejections.ts'
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

  it('names the mistake', () => {
    const wrong = (given: unknown) => () => parallelNode(customerModel, given as never)
    expect(wrong({})).toThrow(/ranges must be an array/)
    expect(wrong({ ranges: [{ surname: 'x' }] })).toThrow(/surname/)
    expect(wrong({ ranges: [], concurency: 2 })).toThrow(/has no option 'concurency'/)
    expect(wrong(null)).toThrow(invalidQuery)
  })
})

describe('partitionsNode', () => {
  it('makes a filter of each partition, each once', () => {
    const node = partitionsNode(['b', 'a', 'b'], {})
    expect(node.ranges.map(printFilter)).toEqual(["PartitionKey eq 'b'", "PartitionKey eq 'a'"])
    expect(node).toMatchObject({ concurrency: undefined, order: 'keys' })
  })

  it('rejects an invalid PartitionKey', () => {
    expect(() => partitionsNode(['a\tb'], {})).toThrow(invalidKey)
  })

  it('lists the orders when it rejects one', () => {
    const order = 'any' as never
    expect(() => partitionsNode(['a'], { order })).toThrow(
      /must be 'keys', 'rowKeys' or 'arrival'; got "any"/,
    )
  })
})
