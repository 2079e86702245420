import { expect, it } from 'vitest'
import {
  type PageSettings,
  pagedIterator,
} from '../../../packages/data-tables/src/paging/paged-iterator.ts'

type Page = number[] & { continuationToken?: string }

const pageOf = (items: number[], continuationToken?: string): Page =>
  continuationToken === undefined ? items : Object.assign(items, { continuationToken })

/** Numbers in pages of two, the second of them empty; the token is the number of the page. */
const pages: readonly (readonly number[])[] = [[1, 2], [], [3]]
const asked: PageSettings[] = []
async function read(settings: PageSettings): Promise<Page> {
  asked.push(settings)
  const at = Number(settings.continuationToken ?? 0)
  return pageOf([...(pages[at] ?? [])], at + 1 < pages.length ? String(at + 1) : undefined)
}

it('yields every item, also after an empty page', async () => {
  const items: number[] = []
  for await (const item of pagedIterator('people', read)) items.push(item)
  expect(items).toEqual([1, 2, 3])
})

it('reads nothing before the first item is requested, and only the pages that are needed', async () => {
  asked.length = 0
  const iterator = pagedIterator('people', read)
  expect(asked).toEqual([])
  expect(await iterator.next()).toEqual({ value: 1, done: false })
  expect(asked).toHaveLength(1)
})

it('begins at a token, with the size of the pages', async () => {
  asked.length = 0
  const settings = { maxPageSize: 2, continuationToken: '1' }
  const sizes: number[] = []
  for await (const page of pagedIterator('people', read).byPage(settings)) sizes.push(page.length)
  expect(sizes).toEqual([0, 1])
  expect(asked).toEqual([settings, { maxPageSize: 2, continuationToken: '2' }])
})

it('begins at the start with the empty token that a caller kept of a last page', async () => {
  asked.length = 0
  const pages = pagedIterator('people', read).byPage({ continuationToken: '' })
  await pages.next()
  expect(asked).toEqual([{}])
})

it('takes null for no settings, as programs in JavaScript say', async () => {
  for (const settings of [null, { maxPageSize: null, continuationToken: null }]) {
    asked.length = 0
    await pagedIterator('people', read)
      .byPage(settings as never)
      .next()
    expect(asked).toEqual([{}])
  }
})

it('rejects settings that are not an object', () => {
  expect(() => pagedIterator('people', read).byPage('2' as never)).toThrow(
    expect.objectContaining({ code: 'InvalidOptionValue' }),
  )
})

it('rejects a continuation token that is not a string', () => {
  expect(() => pagedIterator('people', read).byPage({ continuationToken: 5 as never })).toThrow(
    expect.objectContaining({
      message: 'continuationToken of byPage must be a string; got 5.',
      code: 'InvalidOptionValue',
    }),
  )
})

it('rejects pages that lead in a circle', async () => {
  const circle = pagedIterator('people', async () => pageOf([1], 'a'))
  await circle.next()
  await expect(circle.next()).rejects.toMatchObject({
    code: 'ContinuationLoop',
    message: expect.stringContaining('people'),
  })
})
