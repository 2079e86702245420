import { describe, expect, it } from 'vitest'
import { rowsAfter } from '../../../packages/query/src/run/page-position.ts'

const key = (rowKey: string) => ({ partitionKey: 'p', rowKey })
const keyOf = (raw: unknown) => key(String(raw))

describe('rowsAfter', () => {
  it('continues after the row of the position, in any order', () => {
    const position = { token: undefined, past: key('c') }
    expect(rowsAfter(position, ['d', 'c', 'a'], keyOf, true)).toEqual({ first: 2 })
  })

  it('R-177: loses no row when that row was deleted and the rows are not sorted', () => {
    const position = { token: undefined, past: key('c') }
    expect(rowsAfter(position, ['d', 'a', 'b'], keyOf, true)).toEqual({ first: 0 })
    expect(rowsAfter(position, ['a', 'b', 'd'], keyOf)).toEqual({ first: 2 })
  })
})
