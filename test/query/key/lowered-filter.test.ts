import { parseFilter, printFilter } from '@rowkey/odata'
import { eq, gt, QueryError, queryOf, startsWith } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { loweredFilter } from '../../../packages/query/src/key/lowered-filter.ts'
import { keyModel } from './key-model.ts'

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

/** What a filter over parts becomes. */
function lower(text: string): string | undefined {
  const lowered = loweredFilter({ model: keyModel, filter: parseFilter(text) })
  return lowered && printFilter(lowered)
}

describe('loweredFilter', () => {
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

  it('says first what the keys are', () => {
    expect(lower("name eq 'x' and no eq 7 and state eq 'WA' and city eq 'A'")).toBe(
      "PartitionKey eq 'WA;A' and RowKey ge 'o_0007' and RowKey lt 'o_0008' and name eq 'x'",
    )
  })

  it('lowers the branches of or and not, with what must hold around them', () => {
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

  it('leaves a condition that the keys cannot answer to the stored property', () => {
    expect(lower('line eq 2')).toBe(`${ROWS} and line eq 2`)
    expect(lower('no eq 7 and line ne 2')).toMatch(/and line ne 2$/)
  })

  it('asks for the rows of the model alone', () => {
    expect(lower("name eq 'x'")).toBe(`${ROWS} and name eq 'x'`)
    expect(printFilter(loweredFilter({ model: keyModel, filter: undefined }) as never)).toBe(ROWS)
    const constant = { ...keyModel, keys: { partitionKey: { segments: ['settings'] } } }
    expect(queryOf(constant).compile().filter).toBe("PartitionKey eq 'settings'")
  })

  it.each([
    ["city eq 'Seattle'", /Person.city is stored as a part of a key alone, and state comes before/],
    ["state ne 'WA' and city eq 'A'", /state comes before/],
    ["state eq 'WA' or city eq 'A'", /add a condition that must hold on what state equals/],
    ['age eq 30', /no comes before/],
    ["state gt 'A'", /not in the order of state there, so that gt cannot/],
    ["state ge 'A' and state lt 'C'", /ask what it equals/],
  ])('refuses %s', (given, message) => {
    expect(() => lower(given)).toThrow(QueryError)
    expect(() => lower(given)).toThrow(message)
  })

  it('is the same filter where no key is a template', () => {
    const filter = parseFilter("state eq 'WA'")
    expect(loweredFilter({ model: { name: 'x', column: () => undefined }, filter })).toBe(filter)
  })

  it('is what queries compile, plan and check', () => {
    const seattle = query.where({ state: 'WA' }).where((p) => p.city.eq('Seattle'))
    expect(seattle.compile().filter).toBe(`PartitionKey eq 'WA;Seattle' and ${ROWS}`)
    expect(seattle.where({ no: eq(7) }).explain().plan).toBe('range')
    expect(seattle.where({ no: 7, age: 30, line: 2 }).explain().plan).toBe('point')
    expect(query.where({ state: startsWith('W'), name: gt('x') }).explain().plan).toBe('tableRange')
    expect(query.where({ no: 7 }).explain().plan).toBe('tableScan')
  })

  it('selects nothing for a part that only the key holds', () => {
    expect(query.select('city', 'line').compile().select).toEqual([
      'PartitionKey',
      'RowKey',
      'Timestamp',
      'line',
    ])
  })
})
