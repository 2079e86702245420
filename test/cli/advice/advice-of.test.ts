import { DynamicEntity } from 'rowkey'
import { expect, it } from 'vitest'
import { adviceOf } from '../../../packages/cli/src/advice/advice-of.ts'
import { tableStatistics } from '../../../packages/cli/src/advice/table-statistics.ts'

/** The pages of the advice on some rows. */
const pagesFor = (rowOf: (n: number) => DynamicEntity, length = 100) => {
  const rows = Array.from({ length }, (_, n) => rowOf(n))
  return [...adviceOf(tableStatistics(rows))].map(({ page }) =>
    page.replace('docs/', '').replace('.md', ''),
  )
}

/** A row that was written at a minute. */
const written = (partitionKey: string, rowKey: string, minute: number) => {
  const row = new DynamicEntity(partitionKey, rowKey)
  row.timestamp = new Date(Date.UTC(2026, 0, 1) + minute * 60_000)
  return row
}

it.each([
  [
    'a partition with most rows',
    (n: number) => new DynamicEntity(n < 60 ? 'a' : `b${n % 9}`, `${n}`),
    ['patterns/recipes'],
  ],
  ['one partition', (n: number) => new DynamicEntity('a', `${n}`), ['keys']],
  ['a partition for each row', (n: number) => new DynamicEntity(`${n}`, ''), ['keys']],
  [
    'keys that append',
    (n: number) => written(`a${n % 1}`, String(n).padStart(3, '0'), n),
    ['keys', 'patterns/recipes'],
  ],
  [
    'keys that fall',
    (n: number) => written(`a${n % 1}`, String(999 - n), n),
    ['keys', 'patterns/recipes'],
  ],
  [
    'days, with rows in any order',
    (n: number) => written(`2026-01-${10 + Math.floor(n / 10)}`, `${(n * 37) % 100}`, n),
    [],
  ],
  ['keys in any order', (n: number) => written(`a${n % 5}`, `${(n * 37) % 100}`, n), []],
  [
    'long texts',
    (n: number) => new DynamicEntity(`a${n % 5}`, `${n}`, { text: 'x'.repeat(30_000) }),
    ['patterns/large-values'],
  ],
  [
    'many properties',
    (n: number) =>
      new DynamicEntity(
        `a${n % 5}`,
        `${n}`,
        Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`p${at}`, 1])),
      ),
    ['patterns/wide-entities'],
  ],
  [
    'a text of its own in each row',
    (n: number) => new DynamicEntity(`a${n % 5}`, `${n}`, { mail: `m${n}` }),
    ['patterns/indexes'],
  ],
  ['few values', (n: number) => new DynamicEntity(`a${n % 5}`, `${n}`, { state: `s${n % 3}` }), []],
])('advises on %s', (_, rowOf, pages) => {
  expect(pagesFor(rowOf)).toEqual(pages)
})

/** A row of one in five partitions with a text of its own, or with the same text from a row on. */
const texted = (n: number, last = n) =>
  new DynamicEntity(`a${n % 5}`, `${n}`, { mail: `m${Math.min(n, last)}` })

it.each([
  ['19 rows in one partition', 19, (n: number) => new DynamicEntity('a', `${n}`), []],
  ['20 rows in one partition', 20, (n: number) => new DynamicEntity('a', `${n}`), ['keys']],
  ['19 texts in 20 rows', 20, (n: number) => texted(n, 18), []],
  ['20 texts in 20 rows', 20, (n: number) => texted(n), ['patterns/indexes']],
  ['89 texts in 100 rows', 100, (n: number) => texted(n, 88), []],
  ['90 texts in 100 rows', 100, (n: number) => texted(n, 89), ['patterns/indexes']],
  [
    'texts in 94 of 100 rows',
    100,
    (n: number) => (n < 94 ? texted(n) : new DynamicEntity('a', `${n}`)),
    [],
  ],
  [
    'texts in 95 of 100 rows',
    100,
    (n: number) => (n < 95 ? texted(n) : new DynamicEntity('a', `${n}`)),
    ['patterns/indexes'],
  ],
])('advises on %s', (_, length, rowOf, pages) => {
  expect(pagesFor(rowOf, length)).toEqual(pages)
})
