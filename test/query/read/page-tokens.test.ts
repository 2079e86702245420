import { describe, expect, it } from 'vitest'
import { pageTokens } from '../../../packages/query/src/read/query-pages.ts'
import { runOf } from '../run-of.ts'
import { rowsAt, TableSource } from '../table-source.ts'

const position = { token: undefined, past: { partitionKey: 'p', rowKey: 'c' } }

/** Finds the rows of a page that follow the row `p/c`. */
function rowsAfter(isUnsorted: boolean, ...page: string[]) {
  const source = new TableSource([], { isUnsorted })
  return pageTokens(runOf(source), undefined).rowsAfter(position, rowsAt(...page))
}

describe('the tokens of pages', () => {
  it('continue after the row of the position, in any order', () => {
    expect(rowsAfter(true, 'p/d', 'p/c', 'p/a')).toEqual({ first: 2 })
  })

  it('R-177: lose no row when that row was deleted and the rows are not sorted', () => {
    expect(rowsAfter(true, 'p/d', 'p/a', 'p/b')).toEqual({ first: 0 })
    expect(rowsAfter(false, 'p/a', 'p/b', 'p/d')).toEqual({ first: 2 })
  })
})
