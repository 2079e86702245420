import { DynamicEntity } from '@rowkey/odata'
import type { QueryOptions, RawQuerySource } from '@rowkey/query'
import { expect, it } from 'vitest'
import { beginRun, rowReader } from '../../../packages/query/src/run/query-run.ts'
import { ArraySource } from '../array-source.ts'
import { everything, runOf } from '../run-of.ts'

it('gives a run the options that its source made of them', () => {
  const source = {
    beginRun: ({ timeout = 0 }) => ({ timeout: timeout + 1 }),
    fetchPage: async () => ({ items: [] }),
  }
  expect(beginRun(runOf(source, {}, { options: { timeout: 1 } })).options).toEqual({ timeout: 2 })
})

it('leaves the options as they are where the source makes nothing of them', () => {
  const options = { timeout: 1 }
  expect(beginRun(runOf(new ArraySource(), {}, { options })).options).toBe(options)
})

it('reads a row as its source does, which is told of a projection', () => {
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

it('takes what was fetched for the row where the source reads nothing', () => {
  const row = {}
  expect(rowReader(everything, new ArraySource([row]))(row)).toBe(row)
})
