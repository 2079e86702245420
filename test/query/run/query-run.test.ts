import { DynamicEntity } from '@rowkey/odata'
import type { QueryOptions, RawQuerySource } from '@rowkey/query'
import { expect, it } from 'vitest'
import { beginRun, rowReader } from '../../../packages/query/src/run/query-run.ts'
import { ArraySource } from '../array-source.ts'
import { everything, runOf } from '../run-of.ts'

it('uses the options that the source returns for a run', () => {
  const source = {
    beginRun: ({ timeout = 0 }) => ({ timeout: timeout + 1 }),
    fetchPage: async () => ({ items: [] }),
  }
  expect(beginRun(runOf(source, {}, { options: { timeout: 1 } })).options).toEqual({ timeout: 2 })
})

it('keeps the options where the source has no beginRun', () => {
  const options = { timeout: 1 }
  expect(beginRun(runOf(new ArraySource(), {}, { options })).options).toBe(options)
})

it('reads rows through the source, which learns of a projection', () => {
  const source: RawQuerySource<string, QueryOptions, number> = {
    fetchPage: async () => ({ items: [1] }),
    findRow: async () => undefined,
    readRow: (raw, { projected }) => `${raw} ${projected}`,
    keyOf: () => ({ partitionKey: '', rowKey: '' }),
    entityOf: () => new DynamicEntity('', ''),
  }
  expect(rowReader(everything, source)(1)).toBe('1 false')
  expect(rowReader({ ...everything, select: ['age'] }, source)(1)).toBe('1 true')
})

it('returns the fetched row of a source that reads nothing', () => {
  const row = {}
  expect(rowReader(everything, new ArraySource([row]))(row)).toBe(row)
})
