import { bindQuery, dynamicQueryModel, type QueryOptions, type QueryPage } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { allRows, queryRows } from '../../../packages/query/src/read/query-rows.ts'
import { wholeCall, wholeRun } from '../../../packages/query/src/read/whole-run.ts'
import { ArraySource } from '../array-source.ts'
import { gather, runOf } from '../run-of.ts'

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
    const run = runOf<number>(source, {}, { options: { timeout: 1 } })
    const rows = wholeRun(run, queryRows)
    expect(await gather(rows)).toEqual([[1]])
    expect(told).toEqual([{ timeout: 2 }, { timeout: 2 }])
    expect(await wholeCall(run, allRows)).toEqual([1])
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
    const run = runOf(source, {}, { prefetch: true })
    const loop = async () => {
      for await (const _rows of wholeRun(run, queryRows)) break
    }
    await loop().catch(() => {})
    expect(ended).toBe(1)
  })

  it('has the options of the caller where the source has no beginRun', async () => {
    const options = { timeout: 1 }
    const run = runOf(new ArraySource(), {}, { options })
    expect(await wholeCall(run, async (begun) => begun.options)).toBe(options)
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
