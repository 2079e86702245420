import { QueryError, type QueryOptions } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { callWithRows } from '../../packages/query/src/call-with-rows.ts'
import { ArraySource } from './array-source.ts'
import { runOf } from './run-of.ts'

const later = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A run over three pages, and what was asked of the source. */
function pages(options: QueryOptions = {}) {
  const source = new ArraySource([1, 2], [3], [4, 5])
  return { source, run: runOf(source, {}, { options }) }
}

describe('callWithRows', () => {
  it('R-141: has no more calls under way than it may, and ends when all have', async () => {
    let underWay = 0
    let most = 0
    const done: number[] = []
    const handler = async (row: number) => {
      most = Math.max(most, ++underWay)
      await later()
      if (row === 1) await later()
      underWay--
      done.push(row)
    }
    await callWithRows(pages().run, { handler, concurrency: 2 })
    expect([most, underWay]).toEqual([2, 0])
    expect(done.toSorted()).toEqual([1, 2, 3, 4, 5])
    expect(done[0]).toBe(2)
  })

  it('R-141: hands out rows one after the other with a concurrency of 1', async () => {
    const seen: string[] = []
    const handler = async (row: number) => {
      seen.push(`${row} begins`)
      await later()
      seen.push(`${row} ends`)
    }
    await callWithRows(runOf(new ArraySource([1, 2])), { handler, concurrency: 1 })
    expect(seen).toEqual(['1 begins', '1 ends', '2 begins', '2 ends'])
  })

  it('R-141: hands out nothing after an error, waits for what is under way, and throws it', async () => {
    const source = new ArraySource([1, 2, 3], [4])
    const seen: string[] = []
    const handler = async (row: number, signal: AbortSignal) => {
      seen.push(`${row} begins`)
      if (row === 2) throw new RangeError('no 2')
      await later()
      seen.push(`${row} ends, aborted: ${signal.aborted}`)
    }
    await expect(callWithRows(runOf(source), { handler, concurrency: 2 })).rejects.toThrow('no 2')
    expect(seen).toEqual(['1 begins', '2 begins', '1 ends, aborted: true'])
    expect(source.calls).toHaveLength(1)
  })

  it('ends a page that is under way when a call fails', async () => {
    const source = new ArraySource([1], [2])
    const fetchPage = source.fetchPage.bind(source)
    source.fetchPage = async (query, page, options) => {
      if (page.continuationToken === undefined) return fetchPage(query, page, options)
      return new Promise((_, reject) => {
        options.signal?.addEventListener('abort', () => reject(new RangeError('page ended')))
      })
    }
    const handler = async () => {
      await later()
      throw new RangeError('handler')
    }
    await expect(callWithRows(runOf(source), { handler, concurrency: 2 })).rejects.toThrow(
      'handler',
    )
  })

  it('waits for the calls under way when the query fails', async () => {
    const source = new ArraySource([1], [2])
    const fetchPage = source.fetchPage.bind(source)
    source.fetchPage = async (query, page, options) => {
      if (page.continuationToken !== undefined) throw new RangeError('no page')
      return fetchPage(query, page, options)
    }
    const done: number[] = []
    const handler = async (row: number) => {
      await later()
      done.push(row)
    }
    await expect(callWithRows(runOf(source), { handler, concurrency: 2 })).rejects.toThrow(
      'no page',
    )
    expect(done).toEqual([1])
  })

  it.each([0, 1])(
    'hands out nothing once the signal aborts, with rows left in page %i',
    async (at) => {
      const controller = new AbortController()
      const { run } = pages({ signal: controller.signal })
      const seen: number[] = []
      const handler = (row: number) => {
        seen.push(row)
        if (seen.length > at) controller.abort(new RangeError('enough'))
      }
      await expect(callWithRows(run, { handler, concurrency: 1 })).rejects.toThrow('enough')
      expect(seen).toHaveLength(at + 1)
    },
  )

  it('throws the reason when the source knows of no signal', async () => {
    const controller = new AbortController()
    const source = { fetchPage: async () => ({ items: [1, 2] }) }
    const run = runOf(source, {}, { options: { signal: controller.signal } })
    const handler = () => controller.abort('enough')
    await expect(callWithRows(run, { handler, concurrency: 1 })).rejects.toBe('enough')
  })

  it('succeeds when the signal aborts after every row was handed out', async () => {
    const controller = new AbortController()
    const run = runOf(new ArraySource([1]), {}, { options: { signal: controller.signal } })
    await callWithRows(run, { handler: () => controller.abort('late'), concurrency: 1 })
    expect(controller.signal.aborted).toBe(true)
  })

  it.each([undefined, null, 'row', {}])('refuses the handler %j before it asks', async (given) => {
    const { source, run } = pages()
    const how = { handler: given as () => void, concurrency: 1 }
    await expect(callWithRows(run, how)).rejects.toThrow(QueryError)
    expect(source.calls).toHaveLength(0)
  })

  it.each([0, -1, 1.5, '2'])('refuses a concurrency of %j before it asks', async (given) => {
    const { source, run } = pages()
    const how = { handler: () => {}, concurrency: given as number }
    await expect(callWithRows(run, how)).rejects.toThrow('concurrency')
    expect(source.calls).toHaveLength(0)
  })
})
