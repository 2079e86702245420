import { expect, it } from 'vitest'
import { BulkRun } from '../../../packages/mapper/src/bulk/bulk-run.ts'
import { freshAccount } from '../fresh-account.ts'

it('a loop over a write that cannot begin throws the error, and nothing else rejects unobserved', async () => {
  const unobserved: unknown[] = []
  const observe = (reason: unknown): void => void unobserved.push(reason)
  const run = new BulkRun(
    { service: freshAccount().service, table: 'people' },
    {},
    'insert',
    () => {
      throw new RangeError('invalid input')
    },
  )
  process.on('unhandledRejection', observe)
  try {
    await expect(run[Symbol.asyncIterator]().next()).rejects.toThrow('invalid input')
    // Node reports rejections after the microtasks of a turn.
    await new Promise(setImmediate)
    expect(unobserved).toEqual([])
  } finally {
    process.off('unhandledRejection', observe)
  }
})
