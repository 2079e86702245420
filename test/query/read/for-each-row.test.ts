import type { QueryOptions } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { forEachRow } from '../../../packages/query/src/read/for-each-row.ts'
import { invalidQuery } from '../../support/rejections.ts'
import { ArraySource } from '../array-source.ts'
import { runOf } from '../run-of.ts'

const later = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A run over three pages, and its source. */
function pages(options: QueryOptions = {}) {
  const source = new ArraySource([1, 2], [3], [4, 5])
  return { source, run: runOf(source, {}, { options }) }
}

describe('forEachRow', () => {
  it('R-141: keeps at most so many calls pending, and ends when all have', async () => {
    let pending = 0
    let most = 0
    const done: number[] = []
    const handler = async (row: number) => {
      most = Math.max(most, ++pending)
      await later()
      if (row === 1) await later()
      pending--
      done.push(row)
    }
    await forEachRow(pages().run, handler, 2)
    expect([most, pending]).toEqual([2, 0])
    expect(done.toSorted()).toEqual([1, 2, 3, 4, 5])
    expect(done[0]).toBe(2)
  })

  it('R-141: calls one after the other with a concurrency of 1', async () => {
    const seen: string[] = []
    const handler = async (row: number) => {
      seen.push(`${row} begins`)
      await later()
      seen.push(`${row} ends`)
    }
    await forEachRow(runOf(new ArraySource([1, 2])), handler, 1)
    expect(seen).toEqual(['1 begins', '1 ends', '2 begins', '2 ends'])
  })

  it('R-141: begins no call after an error, awaits the pending ones, and throws it', async () => {
    const source = new ArraySource([1, 2, 3], [4])
    const seen: string[] = []
    const handler = async (row: number, signal: AbortSignal) => {
      seen.push(`${row} begins`)
      if (row === 2) throw new RangeError('no 2')
      await later()
      seen.push(`${row} ends, aborted: ${signal.aborted}`)
    }
    await expect(forEachRow(runOf(source), handler, 2)).rejects.toThrow('no 2')
    expect(seen).toEqual(['1 begins', '2 begins', '1 ends, aborted: true'])
    expect(source.calls).toHaveLength(1)
  })

  it('cancels a pending page when a call fails', async () => {
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
    await expect(forEachRow(runOf(source), handler, 2)).rejects.toThrow('handler')
  })

  it('awaits the pending calls when the query fails', async () => {
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
    await expect(forEachRow(runOf(source), handler, 2)).rejects.toThrow('no page')
    expect(done).toEqual([1])
  })

  it.each([0, 1])(
    'begins no call once the signal aborts, with rows left in page %i',
    async (at) => {
      const controller = new AbortController()
      const { run } = pages({ signal: controller.signal })
      const seen: number[] = []
      const handler = (row: number) => {
        seen.push(row)
        if (seen.length > at) controller.abort(new RangeError('enough'))
      }
      await expect(forEachRow(run, handler, 1)).rejects.toThrow('enough')
      expect(seen).toHaveLength(at + 1)
    },
  )

  it('throws the reason when the source ignores signals', async () => {
    const controller = new AbortController()
    const source = { fetchPage: async () => ({ items: [1, 2] }) }
    const run = runOf(source, {}, { options: { signal: controller.signal } })
    const handler = () => controller.abort('enough')
    await expect(forEachRow(run, handler, 1)).rejects.toBe('enough')
  })

  it('succeeds when the signal aborts after the last call began', async () => {
    const controller = new AbortController()
    const run = runOf(new ArraySource([1]), {}, { options: { signal: controller.signal } })
    await forEachRow(run, () => controller.abort('late'), 1)
    expect(controller.signal.aborted).toBe(true)
  })

  it.each([undefined, null, 'row', {}])(
    'rejects the handler %j before it sends anything',
    async (given) => {
      const { source, run } = pages()
      await expect(forEachRow(run, given as () => void, 1)).rejects.toThrow(invalidQuery)
      expect(source.calls).toHaveLength(0)
    },
  )

  it.each([0, -1, 1.5, '2'])(
    'rejects a concurrency of %j before it sends anything',
    async (given) => {
      const { source, run } = pages()
      await expect(forEachRow(run, () => {}, given as number)).rejects.toThrow('concurrency')
      expect(source.calls).toHaveLength(0)
    },
  )
})

describe('errors of a handler', () => {
  it('throws the first error when all calls are over, and aborts their signal at once', async () => {
    const held: { resolve(): void; reject(error: unknown): void }[] = []
    const signals: AbortSignal[] = []
    const seen: string[] = []
    const handler = (_: number, signal: AbortSignal) => {
      signals.push(signal)
      return new Promise<void>((resolve, reject) => held.push({ resolve, reject }))
    }
    const run = forEachRow(runOf(new ArraySource([1, 2, 3])), handler, 3).finally(() =>
      seen.push('over'),
    )
    while (held.length < 3) await later()
    held[1]?.reject(new RangeError('first'))
    await later()
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true])
    held[0]?.reject(new RangeError('second'))
    await later()
    expect(seen).toEqual([])
    held[2]?.resolve()
    await expect(run).rejects.toThrow('first')
  })

  it('throws what a synchronous handler throws, undefined included', async () => {
    const handler = () => {
      throw undefined
    }
    await expect(forEachRow(pages().run, handler, 2)).rejects.toBeUndefined()
  })
})
