import { expect, it } from 'vitest'
import { compareKeys } from '../../../packages/query/src/parallel/compare-keys.ts'

const key = (partitionKey: string, rowKey: string) => ({ partitionKey, rowKey })

it('orders by PartitionKey, then by RowKey, by UTF-16 units', () => {
  const sorted = [
    key('', ''),
    key('A', 'z'),
    key('a', '1'),
    key('a', '2'),
    key('\ud83d', ''),
    key('\uffff', ''),
  ]
  expect(sorted.toReversed().toSorted(compareKeys)).toEqual(sorted)
  expect(compareKeys(key('a', '1'), key('a', '1'))).toBe(0)
})
