import {
  bindQuery,
  dynamicQueryModel,
  type LoadWays,
  type QueryOptions,
  type QueryPage,
  type WaysToRun,
  waysToRun,
} from '@rowkey/query'
import { describe, expect, it, vi } from 'vitest'
import { type LoadedRun, wholeCall, wholeRun } from '../../../packages/query/src/read/whole-run.ts'
import { ArraySource } from '../array-source.ts'
import { gather, runOf } from '../run-of.ts'

/** A run that has its code, or loads it. */
function loadedRunOf<Row>(
  run: Parameters<typeof runOf<Row>>,
  ways: LoadWays = () => waysToRun,
): LoadedRun<Row, QueryOptions> {
  return { ...runOf(...run), ways }
}

describe('a run', () => {
  it('begins and ends once at its source, with the options that the source returns', async () => {
    const told: unknown[] = []
    const source = {
      beginRun: ({ timeout = 0 }) => ({ timeout: timeout + 1 }),
      endRun: (options: QueryOptions) => void told.push(options),
      fetchPage: async (_query: unknown, _page: unknown, options: QueryOptions) => {
        told.push(options)
        return { items: [1] }
      },
    }
    const run = loadedRunOf<number>([source, {}, { options: { timeout: 1 } }])
    const rows = wholeRun(run, (ways, begun) => ways.rows(begun))
    expect(await gather(rows)).toEqual([[1]])
    expect(told).toEqual([{ timeout: 2 }, { timeout: 2 }])
    expect(await wholeCall(run, (ways, begun) => ways.all(begun))).toEqual([1])
    expect(told).toHaveLength(4)
  })

  it.each<[string, () => Promise<unknown>]>([
    ['fails', () => Promise.reject(new Error('no page'))],
    ['is left', async () => ({ items: [1], continuationToken: '1' })],
  ])('ends at its source when it %s', async (_, fetchPage) => {
    let ended = 0
    const source = {
      endRun: () => void ended++,
      fetchPage: fetchPage as () => Promise<QueryPage<number>>,
    }
    const run = loadedRunOf([source, {}, { prefetch: true }])
    const loop = async () => {
      for await (const _rows of wholeRun(run, (ways, begun) => ways.rows(begun))) break
    }
    await loop().catch(() => {})
    expect(ended).toBe(1)
  })

  it('has the options of the caller where the source has no beginRun', async () => {
    const options = { timeout: 1 }
    const run = loadedRunOf([new ArraySource(), {}, { options }])
    expect(await wholeCall(run, async (_, begun) => begun.options)).toBe(options)
  })
})

describe('a run whose code is not loaded yet', () => {
  /** Loads the code when the test says so. */
  function slowLoad() {
    let arrive = () => {}
    let fail = (_: Error) => {}
    const loading = new Promise<WaysToRun>((resolve, reject) => {
      arrive = () => resolve(waysToRun)
      fail = reject
    })
    return { ways: vi.fn<LoadWays>(() => loading), arrive, fail }
  }

  it('has begun at its source, and loads the code with the options of the run', async () => {
    const { ways, arrive } = slowLoad()
    const source = Object.assign(new ArraySource([1]), { beginRun: () => ({ timeout: 2 }) })
    const call = wholeCall(loadedRunOf([source], ways), (loaded, begun) => loaded.all(begun))
    expect(ways.mock.calls).toEqual([[{ timeout: 2 }]])
    expect(source.calls).toEqual([])
    arrive()
    expect(await call).toEqual([1])
    expect(source.calls).toMatchObject([{ options: { timeout: 2 } }])
  })

  it('ends at its source when the loop is left or fails meanwhile', async () => {
    const { ways, arrive } = slowLoad()
    const source = Object.assign(new ArraySource([1], [2]), { endRun: vi.fn() })
    const rows = () => wholeRun(loadedRunOf([source], ways), (loaded, begun) => loaded.rows(begun))
    const [left, failed, unused] = [rows(), rows(), rows()]
    const results = [left.next(), left.return(), failed.next(), failed.throw(new Error('no'))]
    const settled = Promise.allSettled(results)
    expect(await unused.return()).toEqual({ done: true, value: undefined })
    arrive()
    expect(await settled).toEqual([
      { status: 'fulfilled', value: { done: false, value: [1] } },
      { status: 'fulfilled', value: { done: true, value: undefined } },
      { status: 'fulfilled', value: { done: false, value: [1] } },
      { status: 'rejected', reason: new Error('no') },
    ])
    expect(source.endRun).toHaveBeenCalledTimes(2)
    expect(source.calls).toHaveLength(2)
  })

  it('fails without a retry when the code cannot be loaded', async () => {
    const { ways, fail } = slowLoad()
    const source = Object.assign(new ArraySource([1]), { endRun: vi.fn() })
    const failed = wholeCall(loadedRunOf([source], ways), (loaded, begun) => loaded.all(begun))
    fail(new RangeError('offline'))
    await expect(failed).rejects.toThrow('offline')
    expect(ways).toHaveBeenCalledTimes(1)
    expect(source.endRun).toHaveBeenCalledTimes(1)
    expect(source.calls).toEqual([])
  })
})

it('begins a run by pages once, and passes the same options to every page', async () => {
  const source = new ArraySource([1], [2], [3])
  let runs = 0
  const counted = Object.assign(source, { beginRun: () => ({ timeout: ++runs }) })
  const query = bindQuery(dynamicQueryModel('people'), counted).allowTableScan()
  for (const run of [1, 2]) {
    await gather(query.byPage({ timeout: 99 }))
    expect(source.calls.splice(0).map(({ options }) => options)).toEqual([
      { timeout: run },
      { timeout: run },
      { timeout: run },
    ])
  }
})
