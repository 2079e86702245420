import {
  and,
  comparison,
  EntityProperty,
  evaluateFilter,
  filter,
  literalOf,
  or,
  parseDateTime,
  parseFilter,
  printFilter,
} from '@rowkey/odata'
import { anyOf, between, gt, le, lt, ne, notMissing, type QueryModel, queryOf } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { inDeclaredTypes } from '../../../packages/query/src/condition/declared-types.ts'

const TYPES = {
  points: 'Int64',
  age: 'Int32',
  state: 'String',
  active: 'Boolean',
  since: 'DateTime',
  id: 'Guid',
  rating: 'Double',
  photo: 'Binary',
} as const

const model: QueryModel = {
  name: 'Customer',
  properties: Object.keys(TYPES),
  column: (property) =>
    property in TYPES
      ? { property, name: property, type: TYPES[property as keyof typeof TYPES] }
      : undefined,
}

const filterOf = (condition: object): string | undefined =>
  queryOf(model)
    .where(condition as never)
    .allowTableScan()
    .compile().filter

/** One value of each type. */
const STORED = {
  Int64: EntityProperty.int64(5n),
  Int32: EntityProperty.int32(5),
  String: EntityProperty.string('m'),
  Boolean: EntityProperty.boolean(false),
  DateTime: EntityProperty.dateTime(new Date(0)),
  Guid: EntityProperty.guid('80000000-0000-4000-8000-000000000000'),
}

/** A constant above the value of the same type. */
const ABOVE = {
  points: 9n,
  age: 9,
  state: 'z',
  active: true,
  since: new Date(1),
  id: 'f0000000-0000-4000-8000-000000000000',
}

describe('a condition on a declared property', () => {
  it.each([
    [{ points: lt(100n) }, 'points lt 100L and points ge -9223372036854775808L'],
    [{ age: le(18) }, 'age le 18 and age ge -2147483648'],
    [{ state: ne('closed') }, "state ne 'closed' and state ge ''"],
    [{ active: ne(true) }, 'active ne true and active ge false'],
    [
      { since: lt(new Date(0)) },
      "since lt datetime'1970-01-01T00:00:00Z' and since ge datetime'1601-01-01T00:00:00Z'",
    ],
    [
      { id: ne('80000000-0000-4000-8000-000000000000') },
      "id ne guid'80000000-0000-4000-8000-000000000000' and id ge guid'00000000-0000-0000-0000-000000000000'",
    ],
  ])('keeps values of other types out: %o', (condition, text) => {
    expect(filterOf(condition)).toBe(text)
  })

  it.each(Object.entries(ABOVE))(
    'on %s finds only its own type by lt, le and ne',
    (name, above) => {
      const declared = TYPES[name as keyof typeof ABOVE]
      for (const [type, property] of Object.entries(STORED)) {
        for (const test of [lt(above), le(above), ne(above)]) {
          const condition = inDeclaredTypes(
            model,
            comparison(name, test.operator as 'lt', literalOf(above, declared as 'String')),
          )
          const isFound = evaluateFilter(condition, () => property)
          // An Int32 constant compares by value with a stored Int64.
          const isWider = declared === 'Int32' && type === 'Int64'
          expect([type, isFound]).toEqual([type, type === declared || isWider])
        }
      }
    },
  )

  it.each([
    [{ points: gt(1n) }, 'points gt 1L'],
    [{ age: between(1, 2) }, 'age ge 1 and age le 2'],
    [{ age: anyOf([1, 2]) }, '(age eq 1 or age eq 2)'],
    [{ rating: lt(1) }, 'rating lt 1.0'],
    [{ photo: ne(new Uint8Array([1])) }, "photo ne X'01'"],
  ])('stays as it is where nothing can be kept out: %o', (condition, text) => {
    expect(filterOf({ ...condition })?.replace(/^\(|\)$/g, '')).toBe(text.replace(/^\(|\)$/g, ''))
  })

  it('adds one comparison for each property of an and, also below an or', () => {
    const text = queryOf(model)
      .where(({ age, state }) => age!.lt(9).and(age!.ne(3)).or(state!.lt('m')))
      .allowTableScan()
      .compile().filter
    expect(text).toBe(
      "age lt 9 and age ge -2147483648 and age ne 3 or state lt 'm' and state ge ''",
    )
  })

  it('leaves a template, a not and a filter of 15 comparisons as the caller wrote them', () => {
    expect(filterOf(filter`points lt 100L`)).toBe('points lt 100L')
    const many = and(
      ...Array.from({ length: 15 }, (_, at) => comparison('age', 'ne', literalOf(at))),
    )
    expect(printFilter(inDeclaredTypes(model, many))).toBe(printFilter(many))
  })

  it('leaves isSet alone, which asks for values of any type', () => {
    expect(filterOf({ age: notMissing })).toBe('age eq 0 or age ne 0')
    const both = or(comparison('state', 'eq', literalOf('x')), parseFilter('age eq 0 or age ne 0')!)
    expect(inDeclaredTypes(model, both)).toEqual(both)
  })

  it('leaves system properties alone, which have one type', () => {
    const late = comparison('Timestamp', 'lt', literalOf(parseDateTime('2026-01-01T00:00:00Z')))
    const typed: QueryModel = {
      ...model,
      properties: ['modified'],
      column: () => ({ property: 'modified', name: 'Timestamp', type: 'DateTime' }),
    }
    expect(inDeclaredTypes(typed, late)).toBe(late)
  })
})
