import { forEachRow } from './for-each-row.ts'
import { fullPage, queryPages } from './query-pages.ts'
import { allRows, countRows, firstRow, firstRows, queryRows } from './query-rows.ts'

/** The ways to run a query; each takes a run that has begun. */
interface WaysToRun {
  readonly rows: typeof queryRows
  readonly all: typeof allRows
  readonly first: typeof firstRow
  readonly upToOne: typeof firstRows
  readonly count: typeof countRows
  readonly forEach: typeof forEachRow
  readonly pages: typeof queryPages
  readonly page: typeof fullPage
}

/** They are loaded together, with the first run of any query. */
export const waysToRun: WaysToRun = {
  rows: queryRows,
  all: allRows,
  first: firstRow,
  upToOne: firstRows,
  count: countRows,
  forEach: forEachRow,
  pages: queryPages,
  page: fullPage,
}
