import { expect, it } from 'vitest'
import { rowsAsTheyArrive } from '../../../packages/query/src/parallel/rows-as-they-arrive.ts'
import { ArraySource } from '../array-source.ts'
import { gather, runOf } from '../run-of.ts'

it('yields every row of every run', async () => {
  const runs = [[1], [2, 3], []].map((rows) => runOf(new ArraySource(rows, rows)))
  const rows = (await gather(rowsAsTheyArrive(runs, 2))).flat()
  expect(rows.toSorted()).toEqual([1, 1, 2, 2, 3, 3])
})

it('begins the next run when one has ended', async () => {
  const sources = [new ArraySource([1]), new ArraySource([2])]
  const runs = sources.map((source) => runOf(source))
  const rows = rowsAsTheyArrive(runs, 1)
  await rows.next()
  expect(sources.map(({ calls }) => calls.length)).toEqual([1, 0])
  expect((await gather(rows)).flat()).toEqual([2])
})

it('fetches a page ahead only with prefetch', async () => {
  for (const prefetch of [true, false]) {
    const source = new ArraySource([1], [2])
    await rowsAsTheyArrive([runOf(source, {}, { prefetch })], 1).next()
    expect(source.calls).toHaveLength(prefetch ? 2 : 1)
  }
})

it('yields nothing without a run', async () => {
  expect(await gather(rowsAsTheyArrive([], 4))).toEqual([])
})
