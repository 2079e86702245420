import { describe, expect, it } from 'vitest'
import { bulkTable, rows } from './bulk-account.ts'

describe('the flow of a bulk writer', () => {
  it('reports progress after each transaction: counts, rate and time left', async () => {
    const { table, pass } = await bulkTable()
    const progress: unknown[] = []
    await table
      .bulk({
        concurrency: 1,
        onProgress: (now) => {
          progress.push(now)
          pass(1_000)
        },
      })
      .insert(rows('p', 250))
    expect(progress).toMatchObject([
      { done: 100, rate: 0, remaining: undefined },
      { done: 200, rate: 200, remaining: 250 },
      { done: 250, rate: 125, remaining: 0 },
    ])
  })

  it('ends with the error of a progress listener', async () => {
    const { table } = await bulkTable()
    const onProgress = () => {
      throw new TypeError('mine')
    }
    const summary = await table
      .bulk({ concurrency: 1, onProgress })
      .insert(rows('p', 250))
      .summary()
    expect(summary).toMatchObject({ ending: 'failed', cause: { message: 'mine' }, done: 100 })
  })

  it('waits for an asynchronous progress listener, and ends with its error', async () => {
    const { table } = await bulkTable()
    const seen: number[] = []
    const onProgress = async ({ done }: { done: number }) => {
      await new Promise(setImmediate)
      seen.push(done)
      if (done === 200) throw new TypeError('mine')
    }
    const summary = await table
      .bulk({ concurrency: 1, onProgress })
      .insert(rows('p', 250))
      .summary()
    expect(seen.slice(0, 2)).toEqual([100, 200])
    expect(summary).toMatchObject({ ending: 'failed', cause: { message: 'mine' }, done: 200 })
  })
})
