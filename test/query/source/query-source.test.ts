import { DynamicEntity } from '@rowkey/odata'
import { expect, it } from 'vitest'
import { isRawSource } from '../../../packages/query/src/source/query-source.ts'
import { ArraySource } from '../array-source.ts'

it('distinguishes a source of raw rows from one of rows', () => {
  const raw = {
    fetchPage: async () => ({ items: [1] }),
    findRow: async () => undefined,
    readRow: (row: unknown) => row,
    keyOf: () => ({ partitionKey: '', rowKey: '' }),
    entityOf: () => new DynamicEntity('', ''),
  }
  expect(isRawSource(raw)).toBe(true)
  expect(isRawSource(new ArraySource([1]))).toBe(false)
})
