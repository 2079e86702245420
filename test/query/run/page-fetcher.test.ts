import { expect, it } from 'vitest'
import { PageFetcher } from '../../../packages/query/src/run/page-fetcher.ts'
import { ArraySource } from '../array-source.ts'
import { runOf } from '../run-of.ts'

it('fetches a page once that was fetched ahead', async () => {
  const source = new ArraySource(['a'], ['b'])
  const fetcher = new PageFetcher(runOf(source))
  expect(await fetcher.fetch(undefined)).toEqual({ items: ['a'], continuationToken: '1' })
  fetcher.fetchAhead('1')
  expect(await fetcher.fetch('1')).toEqual({ items: ['b'] })
  expect(source.calls).toHaveLength(2)
})

it('cancels a page that is no longer wanted, and none that is in use', async () => {
  const source = new ArraySource(['a'], ['b'], ['c'])
  const fetcher = new PageFetcher(runOf(source))
  fetcher.fetchAhead('1')
  await fetcher.fetch('1')
  fetcher.stop()
  expect(source.calls[0]?.options.signal?.aborted).toBe(false)
  fetcher.fetchAhead('2')
  fetcher.stop()
  expect(source.calls[1]?.options.signal?.aborted).toBe(true)
})

it('rejects when the source throws', async () => {
  const source = {
    fetchPage: () => {
      throw new RangeError('at once')
    },
  }
  await expect(new PageFetcher(runOf(source)).fetch(undefined)).rejects.toThrow('at once')
})

it('does not use a page that came ahead once the signal has aborted, and asks the source why', async () => {
  const controller = new AbortController()
  const source = new ArraySource(['a'], ['b'])
  const fetcher = new PageFetcher(runOf(source, {}, { options: { signal: controller.signal } }))
  fetcher.fetchAhead('1')
  controller.abort(new RangeError('enough'))
  await expect(fetcher.fetch('1')).rejects.toThrow('enough')
  expect(source.calls[0]?.options.signal?.aborted).toBe(true)
})
