import {
  and,
  COMPARISON_OPERATORS,
  comparison,
  EntityProperty,
  evaluateFilter,
  type FilterNode,
  literalOf,
  not,
  or,
  parseFilter,
} from '@rowkey/odata'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareValues } from '../../../packages/odata/src/filter/evaluate-filter.ts'
import { holds } from '../../../packages/odata/src/filter/filter-node.ts'
import { filteredEntity, filterMatches } from '../../vectors/filter-matches.ts'
import { arbitraryFilter } from '../arbitrary-filters.ts'
import { arbitraryName, arbitraryProperty } from '../arbitrary-values.ts'

const lookup = (name: string) => filteredEntity[name]
const matches = (node: FilterNode) => evaluateFilter(node, lookup)

describe('evaluateFilter', () => {
  it.each(filterMatches)('%s is %s', (text, expected) => {
    expect(matches(parseFilter(text) as FilterNode)).toBe(expected)
  })

  it('obeys the laws of and, or and not', () => {
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

  it('finds a stored value equal to itself, except NaN', () => {
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

const { int32, int64, double, string, boolean, guid } = EntityProperty
const GUID = 'c9da6455-213d-42c9-9a79-3e9149a57833'

describe('compareValues', () => {
  it('compares numbers of every type by their values', () => {
    expect(compareValues(int32(5), int64(5n))).toBe(0)
    expect(compareValues(int64(5n), double(5.5))).toBe(-1)
    expect(compareValues(double(5.5), int32(5))).toBe(1)
    expect(compareValues(int64(2n ** 53n + 1n), double(2 ** 53))).toBe(1)
  })

  it('returns NaN for a NaN and a number', () => {
    expect(compareValues(double(Number.NaN), int32(5))).toBeNaN()
    expect(compareValues(int64(5n), double(Number.NaN))).toBeNaN()
  })

  it('returns undefined for values of other types', () => {
    expect(compareValues(string('5'), int32(5))).toBeUndefined()
    expect(compareValues(boolean(true), int32(1))).toBeUndefined()
    expect(compareValues(guid(GUID), string(GUID))).toBeUndefined()
  })
})
