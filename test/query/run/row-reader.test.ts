import { DynamicEntity } from '@rowkey/odata'
import type { QueryOptions, RawQuerySource } from '@rowkey/query'
import { expect, it } from 'vitest'
import { rowReading } from '../../../packages/query/src/run/row-reader.ts'
import { ArraySource } from '../array-source.ts'
import { runOf } from '../run-of.ts'

it('reads rows through the source, which learns of a projection', () => {
  const source: RawQuerySource<string, QueryOptions, number> = {
    fetchPage: async () => ({ items: [1] }),
    findRow: async () => undefined,
    readRow: (raw, { projected }) => `${raw} ${projected}`,
    keyOf: () => ({ partitionKey: '', rowKey: '' }),
    entityOf: () => new DynamicEntity('', ''),
  }
  expect(rowReading(runOf(source)).read(1)).toBe('1 false')
  expect(rowReading(runOf(source, { select: ['age'] })).read(1)).toBe('1 true')
})

it('returns the fetched row of a source that reads nothing', () => {
  const row = {}
  expect(rowReading(runOf(new ArraySource([row]))).read(row)).toBe(row)
})
