import { expect, it } from 'vitest'
import { firstRows } from '../../packages/query/src/first-rows.ts'
import { ArraySource } from './array-source.ts'
import { runOf } from './run-of.ts'

it('gives the first row alone, over empty pages, and asks no further', async () => {
  const source = new ArraySource<number>([], [7, 8], [9])
  expect(await firstRows(runOf(source, { take: 5 }))).toEqual([7])
  expect(source.calls).toHaveLength(2)
})

it('gives the first that the filter on this side keeps, and none when it keeps none', async () => {
  const pages = () => new ArraySource([1, 2], [3])
  expect(await firstRows(runOf(pages(), { localFilter: (row) => Number(row) > 1 }))).toEqual([2])
  expect(await firstRows(runOf(pages(), { localFilter: () => false }))).toEqual([])
})
