import { BulkRun } from '@rowkey/mapper'
import { expect, it } from 'vitest'
import { bulkSettings } from '../../../packages/mapper/src/bulk/bulk-options.ts'
import { openInput } from '../../../packages/mapper/src/bulk/input-reader.ts'
import { freshAccount } from '../fresh-account.ts'

it('a loop over a write that cannot begin throws the error, and nothing else rejects unobserved', async () => {
  const unobserved: unknown[] = []
  const observe = (reason: unknown): void => void unobserved.push(reason)
  const run = new BulkRun({
    service: freshAccount().service,
    table: 'people',
    options: {},
    open: async () => ({
      table: 'people',
      settings: bulkSettings({}, [], 'a test'),
      input: openInput([], 'a test'),
      target: () => Promise.reject(new Error('The code was not loaded.')),
      rule: { kind: 'insert' },
    }),
  })
  process.on('unhandledRejection', observe)
  try {
    await expect(run[Symbol.asyncIterator]().next()).rejects.toThrow('The code was not loaded.')
    // Node reports rejections after the microtasks of a turn.
    await new Promise(setImmediate)
    expect(unobserved).toEqual([])
  } finally {
    process.off('unhandledRejection', observe)
  }
})
