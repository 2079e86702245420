import { describe, expect, it } from 'vitest'
import { FilterParser } from '../../../packages/odata/src/filter/filter-parser.ts'

describe('FilterParser', () => {
  it('binds not tighter than and, and and tighter than or', () => {
    const tree = new FilterParser('A or not B and C').parse()
    expect(tree).toMatchObject({
      kind: 'or',
      operands: [
        { property: 'A' },
        { kind: 'and', operands: [{ kind: 'not' }, { property: 'C' }] },
      ],
    })
  })

  it('keeps the grouping of parentheses that matter', () => {
    expect(new FilterParser('(A and B) and C').parse()).toMatchObject({ operands: { length: 2 } })
    expect(new FilterParser('A and B and C').parse()).toMatchObject({ operands: { length: 3 } })
  })
})
