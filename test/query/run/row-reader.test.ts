import { DynamicEntity } from '@rowkey/odata'
import type { QueryOptions, RawQuerySource } from '@rowkey/query'
import { expect, it } from 'vitest'
import { rowReader } from '../../../packages/query/src/run/row-reader.ts'
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
  expect(rowReader(runOf(source))(1)).toBe('1 false')
  expect(rowReader(runOf(source, { select: ['age'] }))(1)).toBe('1 true')
})

it('returns the fetched row of a source that reads nothing', () => {
  const row = {}
  expect(rowReader(runOf(new ArraySource([row])))(row)).toBe(row)
})
