import {
  and,
  comparison,
  evaluateFilter,
  type FilterNode,
  literalOf,
  not,
  or,
  parseFilter,
  prefixEnd,
  printFilter,
  type TypedValue,
} from '@rowkey/odata'
import { eq, gt, type QueryModel, queryOf, startsWith } from '@rowkey/query'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lowerKeys } from '../../../packages/query/src/key/key-lowering.ts'
import { longTest } from '../../support/cases-to-play.ts'
import { invalidQuery } from '../../support/rejections.ts'
import { keyModel } from './key-model.ts'

/** Characters below the separator, and above it; the separator itself only where nothing follows. */
const state = fc.string({ unit: fc.constantFrom('a', 'b', '-', '0', '<', 'z'), maxLength: 3 })
const city = fc.string({ unit: fc.constantFrom('a', 'b', ';', '-', '\uffff'), maxLength: 3 })
const small = fc.integer({ min: 0, max: 5 })

const row = fc.record({ state, city, no: small, age: small, line: small, name: state })
type Row = typeof row extends fc.Arbitrary<infer Value> ? Value : never

const operator = fc.constantFrom('eq', 'ne', 'gt', 'ge', 'lt', 'le')
const textTest = (property: 'state' | 'city', text: fc.Arbitrary<string>) =>
  fc.oneof(
    fc
      .tuple(operator, text)
      .map(([op, value]) => comparison(property, op, literalOf(value, 'String'))),
    text.map((prefix) => {
      const end = prefixEnd(prefix)
      const from = comparison(property, 'ge', literalOf(prefix, 'String'))
      return end === undefined
        ? from
        : and(comparison(property, 'lt', literalOf(end, 'String')), from)
    }),
    text.map((value) => comparison(property, 'eq', literalOf(value, 'String'))),
  )
const numberTest = (property: string) =>
  fc
    .tuple(operator, small)
    .map(([op, value]) => comparison(property, op, literalOf(value, 'Int32')))

const { node: filter } = fc.letrec<{ node: FilterNode; leaf: FilterNode }>((tie) => ({
  leaf: fc.oneof(
    textTest('state', state),
    textTest('city', city),
    ...['no', 'age', 'line'].map(numberTest),
    fc.tuple(operator, state).map(([op, value]) => comparison('name', op, literalOf(value))),
  ),
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('leaf'),
    fc.array(tie('node'), { minLength: 2, maxLength: 5 }).map((nodes) => and(...nodes)),
    fc.array(tie('node'), { minLength: 2, maxLength: 3 }).map((nodes) => or(...nodes)),
    tie('node').map(not),
  ),
}))

const text = (value: string): TypedValue => ({ type: 'String', value })
const int = (value: number): TypedValue => ({ type: 'Int32', value })

/** What the model's properties are. */
function properties(each: Row): (name: string) => TypedValue | undefined {
  return (name) => {
    const value = each[name as keyof Row]
    return typeof value === 'string' ? text(value) : int(value)
  }
}

/** What the service stores: the keys, and what is stored by itself. */
function stored({ state: first, city: second, no, age, line, name }: Row) {
  const digits = (value: number, width: number) => String(value).padStart(width, '0')
  const entity: Record<string, TypedValue> = {
    PartitionKey: text(`${first};${second}`),
    RowKey: text(`o_${digits(no, 4)}${digits(999 - age, 3)}${digits(line, 2)}`),
    line: int(line),
    name: text(name),
  }
  return (property: string) => entity[property]
}

describe('lowerKeys of random filters', () => {
  longTest('R-152: matches by keys the rows that match by parts', () => {
    let lowered = 0
    fc.assert(
      fc.property(filter, fc.array(row, { minLength: 1, maxLength: 20 }), (node, rows) => {
        let byKeys: FilterNode | undefined
        try {
          byKeys = lowerKeys(keyModel, node)
        } catch (error) {
          expect(error).toEqual(invalidQuery)
          return
        }
        lowered += 1
        for (const each of rows) {
          const wanted = evaluateFilter(node, properties(each))
          expect(byKeys === undefined || evaluateFilter(byKeys, stored(each))).toBe(wanted)
        }
      }),
      { numRuns: 2_000 },
    )
    expect(lowered).toBeGreaterThan(400)
  })
})

it('does not change ne on a property that is not a part of a key', () => {
  const ne = comparison('name', 'ne', literalOf('Jeff'))
  const own = comparison('RowKey', 'ne', literalOf('o_1'))
  const common = "RowKey ge 'o_' and RowKey lt 'o`'"
  const lowered = (node: FilterNode) => printFilter(lowerKeys(keyModel, node)!)
  expect(lowered(ne)).toBe(`${common} and name ne 'Jeff'`)
  expect(lowered(or(ne, not(own)))).toBe(`${common} and (name ne 'Jeff' or not (RowKey ne 'o_1'))`)
})

it('bounds a Guid, which sorts but keeps no prefixes, at both ends of a short range', () => {
  const id = { property: 'id', order: 'ascending', fixedLength: 2, print: String } as const
  const model: QueryModel = { ...keyModel, keys: { rowKey: { segments: [id] } } }
  const between = and(
    comparison('id', 'ge', literalOf('a3')),
    comparison('id', 'lt', literalOf('a4')),
  )
  expect(printFilter(lowerKeys(model, between)!)).toBe("RowKey ge 'a3' and RowKey lt 'a4'")
})

interface Person {
  state: string
  city: string
  no: number
  age: number
  line: number
  name: string
}

const query = queryOf<Person>(keyModel)
const ROWS = "RowKey ge 'o_' and RowKey lt 'o`'"

/** The text of the lowered filter. */
function lower(text: string): string | undefined {
  const lowered = lowerKeys(keyModel, parseFilter(text))
  return lowered && printFilter(lowered)
}

describe('lowerKeys', () => {
  it.each([
    ["state eq 'WA' and city eq 'Seattle'", `PartitionKey eq 'WA;Seattle' and ${ROWS}`],
    ["city eq 'Seattle' and state eq 'WA'", `PartitionKey eq 'WA;Seattle' and ${ROWS}`],
    ["state eq 'WA'", `${ROWS} and PartitionKey ge 'WA;' and PartitionKey lt 'WA<'`],
    [
      "state eq 'WA' and city ge 'Se' and city lt 'Sf'",
      `PartitionKey ge 'WA;Se' and PartitionKey lt 'WA;Sf' and ${ROWS}`,
    ],
    [
      "state eq 'WA' and city gt 'S'",
      `PartitionKey gt 'WA;S' and PartitionKey lt 'WA<' and ${ROWS}`,
    ],
    [
      "state eq 'WA' and city le 'S'",
      `PartitionKey ge 'WA;' and PartitionKey le 'WA;S' and ${ROWS}`,
    ],
    ["state ge 'W' and state lt 'X'", `${ROWS} and PartitionKey ge 'W' and PartitionKey lt 'X'`],
    ['no eq 7', "RowKey ge 'o_0007' and RowKey lt 'o_0008'"],
    ['no gt 7', "RowKey ge 'o_0008' and RowKey lt 'o`'"],
    ['no ge 7 and no le 9', "RowKey ge 'o_0007' and RowKey lt 'o_000:'"],
    ['no lt 7', "RowKey ge 'o_' and RowKey lt 'o_0007'"],
    ['no eq 7 and age gt 30', "RowKey ge 'o_0007' and RowKey lt 'o_0007969'"],
    ['no eq 7 and age le 30', "RowKey ge 'o_0007969' and RowKey lt 'o_0008'"],
    ['no eq 7 and age eq 30 and line eq 2', "RowKey eq 'o_000796902'"],
    ['no eq 7 and age eq 30 and line gt 2', "RowKey gt 'o_000796902' and RowKey lt 'o_000796:'"],
    ["no eq 7 and name eq 'x'", "RowKey ge 'o_0007' and RowKey lt 'o_0008' and name eq 'x'"],
  ])('R-152: %s is %s', (given, lowered) => {
    const sorted = (text: string | undefined) => text?.split(' and ').sort()
    expect(sorted(lower(given))).toEqual(sorted(lowered))
  })

  it('puts the conditions on keys first', () => {
    expect(lower("name eq 'x' and no eq 7 and state eq 'WA' and city eq 'A'")).toBe(
      "PartitionKey eq 'WA;A' and RowKey ge 'o_0007' and RowKey lt 'o_0008' and name eq 'x'",
    )
  })

  it('lowers the branches of or and not, with the conditions around them', () => {
    expect(lower("state eq 'WA' and (city eq 'A' or city eq 'B')")).toBe(
      `PartitionKey ge 'WA;' and PartitionKey lt 'WA<' and ${ROWS} and (PartitionKey eq 'WA;A' or PartitionKey eq 'WA;B')`,
    )
    expect(lower("state eq 'WA' and not (city eq 'A')")).toMatch(
      /and not \(PartitionKey eq 'WA;A'\)$/,
    )
    expect(lower("state eq 'WA' and city ne 'A'")).toMatch(/and PartitionKey ne 'WA;A'$/)
    expect(lower('no ne 7')).toBe(`${ROWS} and not (RowKey ge 'o_0007' and RowKey lt 'o_0008')`)
    expect(lower("(state eq 'WA' and city eq 'A') or (state eq 'OR' and city eq 'B')")).toBe(
      `${ROWS} and (PartitionKey eq 'WA;A' or PartitionKey eq 'OR;B')`,
    )
  })

  it('compares the stored property where keys cannot express the condition', () => {
    expect(lower('line eq 2')).toBe(`${ROWS} and line eq 2`)
    expect(lower('no eq 7 and line ne 2')).toMatch(/and line ne 2$/)
  })

  it('matches only rows of the model', () => {
    expect(lower("name eq 'x'")).toBe(`${ROWS} and name eq 'x'`)
    expect(printFilter(lowerKeys(keyModel, undefined) as never)).toBe(ROWS)
    const constant = { ...keyModel, keys: { partitionKey: { segments: ['settings'] } } }
    expect(queryOf(constant).compile().filter).toBe("PartitionKey eq 'settings'")
  })

  it.each([
    ["city eq 'Seattle'", /Person.city is stored only as a part of a key, after state/],
    ["state ne 'WA' and city eq 'A'", /after state/],
    ["state eq 'WA' or city eq 'A'", /add a condition that state equals a value/],
    ['age eq 30', /after no/],
    ["state gt 'A'", /keys do not sort by state, so gt cannot/],
    ["state ge 'A' and state lt 'C'", /test for equality/],
  ])('rejects %s', (given, message) => {
    expect(() => lower(given)).toThrow(invalidQuery)
    expect(() => lower(given)).toThrow(message)
  })

  it('returns the filter as it is where no key is a template', () => {
    const filter = parseFilter("state eq 'WA'")
    const model = { name: 'x', column: () => undefined }
    expect(lowerKeys(model, filter)).toBe(filter)
    expect(
      queryOf(model)
        .where(filter as FilterNode)
        .compile().filter,
    ).toBe("state eq 'WA'")
  })

  it('uses a model whose class has private members', () => {
    class PrivateModel implements QueryModel {
      readonly #model = keyModel
      get name() {
        return this.#model.name
      }
      get properties() {
        return this.#model.properties ?? []
      }
      get keys() {
        return this.#model.keys
      }
      column(property: string) {
        return this.#model.column(property)
      }
    }
    const conditions = { state: 'WA', city: 'Seattle' }
    const query = queryOf(new PrivateModel()).where(conditions)
    expect(query.compile()).toEqual(queryOf(keyModel).where(conditions).compile())
    expect(() => queryOf(new PrivateModel()).where({ country: 'US' })).toThrow(keyModel.name)
  })

  it('is used to compile, explain and check queries', () => {
    const seattle = query.where({ state: 'WA' }).where((p) => p.city.eq('Seattle'))
    expect(seattle.compile().filter).toBe(`PartitionKey eq 'WA;Seattle' and ${ROWS}`)
    expect(seattle.where({ no: eq(7) }).explain().plan).toBe('range')
    expect(seattle.where({ no: 7, age: 30, line: 2 }).explain().plan).toBe('point')
    expect(query.where({ state: startsWith('W'), name: gt('x') }).explain().plan).toBe('tableRange')
    expect(query.where({ no: 7 }).explain().plan).toBe('tableScan')
  })

  it('selects no name for a part that only the key holds', () => {
    expect(query.select('city', 'line').compile().select).toEqual([
      'PartitionKey',
      'RowKey',
      'Timestamp',
      'line',
    ])
  })
})
