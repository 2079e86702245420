import type { FilterNode } from '@rowkey/odata'
import {
  and,
  COMPARISON_OPERATORS,
  comparison,
  EntityProperty,
  evaluateFilter,
  literalOf,
  not,
  or,
  parseFilter,
} from '@rowkey/odata'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { holds } from '../../../packages/odata/src/filter/evaluate-filter.ts'
import { filteredEntity, filterMatches } from '../../vectors/filter-matches.ts'
import { arbitraryFilter } from '../arbitrary-filters.ts'
import { arbitraryName, arbitraryProperty } from '../arbitrary-values.ts'

const lookup = (name: string) => filteredEntity[name]
const matches = (node: FilterNode) => evaluateFilter(node, lookup)

describe('evaluateFilter', () => {
  it.each(filterMatches)('of %s is %s', (text, expected) => {
    expect(matches(parseFilter(text) as FilterNode)).toBe(expected)
  })

  it('keeps the laws of and, or and not', () => {
    const entities = fc.dictionary(arbitraryName, arbitraryProperty)
    fc.assert(
      fc.property(arbitraryFilter, arbitraryFilter, entities, (left, right, entity) => {
        const of = (node: FilterNode) =>
          evaluateFilter(node, (name) => (Object.hasOwn(entity, name) ? entity[name] : undefined))
        expect(of(not(and(left, right)))).toBe(of(or(not(left), not(right))))
        expect(of(or(left, right))).toBe(of(left) || of(right))
        expect(of(not(not(left)))).toBe(of(left))
      }),
      { numRuns: 1_000 },
    )
  })

  it('compares a stored value with itself as equal, NaN aside', () => {
    fc.assert(
      fc.property(arbitraryProperty, (property) => {
        const isNaNValue = property.type === 'Double' && Number.isNaN(property.value)
        const node = comparison('p', 'eq', literalOf(property))
        expect(evaluateFilter(node, () => property)).toBe(!isNaNValue)
        const same = { ...node, operator: 'ne' as const }
        expect(evaluateFilter(same, () => property)).toBe(isNaNValue)
      }),
      { numRuns: 1_000 },
    )
  })

  it('compares Int64 and Double by their exact values, far beyond 2^53', () => {
    const int64s = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
    fc.assert(
      fc.property(int64s, fc.integer({ min: -3, max: 3 }), (big, near) => {
        const double = Number(big) + near
        const exact = BigInt(double)
        const stored = EntityProperty.int64(big)
        const order = big < exact ? -1 : big > exact ? 1 : 0
        const found = COMPARISON_OPERATORS.filter((operator) =>
          evaluateFilter(comparison('p', operator, literalOf(double, 'Double')), () => stored),
        )
        expect(found).toEqual(COMPARISON_OPERATORS.filter((operator) => holds(operator, order)))
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('holds', () => {
  it.each([
    ['eq', [false, true, false, false]],
    ['ne', [true, false, true, true]],
    ['gt', [false, false, true, false]],
    ['ge', [false, true, true, false]],
    ['lt', [true, false, false, false]],
    ['le', [true, true, false, false]],
  ] as const)('%s of below, equal, above and unordered is %j', (operator, expected) => {
    expect([-1, 0, 1, Number.NaN].map((order) => holds(operator, order))).toEqual(expected)
  })
})
