import { bindQuery, dynamicQueryModel, type QueryOptions, type QueryPage } from '@rowkey/query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ArraySource } from '../array-source.ts'
import { gather, runOf } from '../run-of.ts'

const LAZY = '../../../packages/query/src/read/ways-to-run.ts'

/** A program that has not run a query yet. */
const freshProgram = () => import('../../../packages/query/src/read/whole-run.ts')
const waysToRun = () => import('../../../packages/query/src/read/ways-to-run.ts')

beforeEach(() => {
  vi.resetModules()
})

afterEach(() => {
  vi.doUnmock(LAZY)
})

describe('a run', () => {
  it('begins and ends once at its source, with the options that the source returns', async () => {
    const { wholeCall, wholeRun } = await freshProgram()
    const told: unknown[] = []
    const source = {
      beginRun: ({ timeout = 0 }) => ({ timeout: timeout + 1 }),
      endRun: (options: QueryOptions) => void told.push(options),
      fetchPage: async (_query: unknown, _page: unknown, options: QueryOptions) => {
        told.push(options)
        return { items: [1] }
      },
    }
    const run = runOf<number>(source, {}, { options: { timeout: 1 } })
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
    const { wholeRun } = await freshProgram()
    let ended = 0
    const source = {
      endRun: () => void ended++,
      fetchPage: fetchPage as () => Promise<QueryPage<number>>,
    }
    const run = runOf(source, {}, { prefetch: true })
    const loop = async () => {
      for await (const _rows of wholeRun(run, (ways, begun) => ways.rows(begun))) break
    }
    await loop().catch(() => {})
    expect(ended).toBe(1)
  })

  it('keeps the options where the source has no beginRun', async () => {
    const { wholeCall } = await freshProgram()
    const options = { timeout: 1 }
    const run = runOf(new ArraySource(), {}, { options })
    const optionsOfRun = () => wholeCall(run, async (_, begun) => begun.options)
    expect(await optionsOfRun()).toEqual(options)
    expect(await optionsOfRun()).toBe(options)
  })

  it('loads its code once', async () => {
    const { wholeCall } = await freshProgram()
    const ways = await waysToRun()
    const load = vi.fn(() => ways)
    vi.doMock(LAZY, load)
    const run = runOf(new ArraySource([1]))
    for (const _ of [1, 2]) expect(await wholeCall(run, (some, begun) => some.count(begun))).toBe(1)
    expect(load).toHaveBeenCalledTimes(1)
  })
})

describe('a run whose code is not loaded yet', () => {
  /** Loads the code when the test says so. */
  async function slowLoad() {
    const ways = await waysToRun()
    let arrive = () => {}
    let fail = (_: Error) => {}
    const loading = new Promise<typeof ways>((resolve, reject) => {
      arrive = () => resolve(ways)
      fail = reject
    })
    vi.resetModules()
    vi.doMock(LAZY, () => loading)
    return { ...(await freshProgram()), arrive, fail }
  }

  it('has begun at its source, and has its own copy of the options', async () => {
    const { wholeCall, arrive } = await slowLoad()
    const source = Object.assign(new ArraySource([1]), { begun: 0 })
    const options = { timeout: 1 }
    const begins = Object.assign(source, { beginRun: () => void source.begun++ })
    const call = wholeCall(runOf(begins as never, {}, { options }), (ways, begun) =>
      ways.all(begun),
    )
    expect(source.begun).toBe(1)
    options.timeout = 2
    arrive()
    expect(await call).toEqual([1])
    expect(source.calls[0]?.options).toEqual({ timeout: 1 })
  })

  it('throws the error of the source when the signal aborts, and ends there', async () => {
    const { wholeCall } = await slowLoad()
    const controller = new AbortController()
    const source = Object.assign(new ArraySource([1]), { endRun: vi.fn() })
    const run = runOf(source, {}, { options: { signal: controller.signal } })
    const call = wholeCall(run, (ways, begun) => ways.all(begun))
    controller.abort(new RangeError('enough'))
    await expect(call).rejects.toThrow('enough')
    expect(source.endRun).toHaveBeenCalledTimes(1)
    expect(source.calls).toEqual([])
  })

  it('ends at its source when the loop is left or fails meanwhile', async () => {
    const { wholeRun, arrive } = await slowLoad()
    const source = Object.assign(new ArraySource([1], [2]), { endRun: vi.fn() })
    const rows = () => wholeRun(runOf(source), (ways, begun) => ways.rows(begun))
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

  it('runs despite an abort where the source ignores signals', async () => {
    const { wholeCall, arrive } = await slowLoad()
    const controller = new AbortController()
    const source = { fetchPage: async () => ({ items: [1] }) }
    const run = runOf(source, {}, { options: { signal: controller.signal } })
    const call = wholeCall(run, (ways, begun) => ways.all(begun))
    controller.abort()
    arrive()
    expect(await call).toEqual([1])
  })

  it('fails without a retry when the code cannot be loaded, and loads it with the next run', async () => {
    const { wholeCall, fail } = await slowLoad()
    const source = Object.assign(new ArraySource([1]), { endRun: vi.fn() })
    const count = () => wholeCall(runOf(source), (ways, begun) => ways.count(begun))
    const failed = count()
    fail(new RangeError('offline'))
    await expect(failed).rejects.toThrow()
    expect(source.endRun).toHaveBeenCalledTimes(1)
    expect(source.calls).toEqual([])
    vi.doUnmock(LAZY)
    expect(await count()).toBe(1)
  })

  it('adds no listener to a signal that many runs share', async () => {
    const { wholeCall, arrive } = await slowLoad()
    const { signal } = new AbortController()
    const listen = vi.spyOn(signal, 'addEventListener')
    const calls = Array.from({ length: 12 }, () =>
      wholeCall(runOf(new ArraySource([1]), {}, { options: { signal } }), (ways, begun) =>
        ways.count(begun),
      ),
    )
    arrive()
    expect(await Promise.all(calls)).toEqual(calls.map(() => 1))
    expect(listen).not.toHaveBeenCalled()
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
