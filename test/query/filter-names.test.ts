import { parseFilter, rawFilter } from '@rowkey/odata'
import { QueryError } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { filterNames } from '../../packages/query/src/filter-names.ts'

describe('filterNames', () => {
  it('finds every name once', () => {
    const filter = parseFilter("a eq 1 and (b or not (c lt 'x' or a gt 2)) and true")!
    expect([...filterNames(filter)]).toEqual(['a', 'b', 'c'])
  })

  it('looks into raw text that can be read, and refuses what cannot', () => {
    expect([...filterNames(rawFilter('a eq 1'))]).toEqual(['a'])
    expect(() => filterNames(rawFilter('a add 1 eq 2'))).toThrow(QueryError)
  })
})
