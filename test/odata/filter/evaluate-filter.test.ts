import {
  and,
  COMPARISON_OPERATORS,
  comparison,
  type EdmType,
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
import {
  compareConstants,
  compareStored,
} from '../../../packages/odata/src/filter/evaluate-filter.ts'
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

  it('compares a Double with an Int64 constant by exact values, far beyond 2^53', () => {
    const int64s = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
    fc.assert(
      fc.property(int64s, fc.integer({ min: -3, max: 3 }), (big, near) => {
        const double = Number(big) + near
        const exact = BigInt(double)
        const stored = EntityProperty.double(double)
        const order = exact < big ? -1 : exact > big ? 1 : 0
        const found = COMPARISON_OPERATORS.filter((operator) =>
          evaluateFilter(comparison('p', operator, literalOf(big)), () => stored),
        )
        expect(found).toEqual(COMPARISON_OPERATORS.filter((operator) => holds(operator, order)))
      }),
      { numRuns: 1_000 },
    )
  })

  it('finds a stored value of another type by ne, lt and le, and by no other operator', () => {
    const different = fc
      .tuple(arbitraryProperty, arbitraryProperty)
      .filter(([stored, constant]) => !compares(stored.type, constant.type))
    fc.assert(
      fc.property(different, ([stored, constant]) => {
        const found = COMPARISON_OPERATORS.filter((operator) =>
          evaluateFilter(comparison('p', operator, literalOf(constant)), () => stored),
        )
        expect(found).toEqual(['ne', 'lt', 'le'])
      }),
      { numRuns: 1_000 },
    )
  })
})

/** Tells whether the service compares values of these types. */
function compares(stored: EdmType, constant: EdmType): boolean {
  return (
    stored === constant ||
    ['Int64<Int32', 'Double<Int32', 'Double<Int64'].includes(`${stored}<${constant}`)
  )
}

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

describe('compareStored', () => {
  it('widens the constant, and never the stored value', () => {
    expect(compareStored(int64(5n), int32(5))).toBe(0)
    expect(compareStored(double(5.5), int32(5))).toBe(1)
    expect(compareStored(double(5.5), int64(6n))).toBe(-1)
    expect(compareStored(int32(5), int64(5n))).toBe(-1)
    expect(compareStored(int32(6), double(5))).toBe(-1)
    expect(compareStored(int64(6n), double(5))).toBe(-1)
  })

  it('counts a value of another type as less', () => {
    expect(compareStored(string('5'), int32(5))).toBe(-1)
    expect(compareStored(int32(5), string('5'))).toBe(-1)
    expect(compareStored(boolean(true), int32(1))).toBe(-1)
    expect(compareStored(guid(GUID), string(GUID))).toBe(-1)
  })

  it('returns NaN for a stored NaN and a whole number', () => {
    expect(compareStored(double(Number.NaN), int32(5))).toBeNaN()
  })
})

describe('compareConstants', () => {
  it('compares numbers of every type by their values', () => {
    expect(compareConstants(int32(5), int64(5n))).toBe(0)
    expect(compareConstants(int64(5n), double(5.5))).toBe(-1)
    expect(compareConstants(double(5.5), int32(5))).toBe(1)
    expect(compareConstants(int64(2n ** 53n + 1n), double(2 ** 53))).toBe(1)
  })

  it('returns NaN for a NaN and a number', () => {
    expect(compareConstants(double(Number.NaN), int32(5))).toBeNaN()
    expect(compareConstants(int64(5n), double(Number.NaN))).toBeNaN()
  })

  it('returns undefined for values of other types', () => {
    expect(compareConstants(string('5'), int32(5))).toBeUndefined()
    expect(compareConstants(boolean(true), int32(1))).toBeUndefined()
    expect(compareConstants(guid(GUID), string(GUID))).toBeUndefined()
  })
})
