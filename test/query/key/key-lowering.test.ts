import {
  and,
  comparison,
  evaluateFilter,
  type FilterNode,
  literalOf,
  not,
  or,
  printFilter,
  type TypedValue,
} from '@rowkey/odata'
import { QueryError, type QueryModel } from '@rowkey/query'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { prefixEnd } from '../../../packages/query/src/condition/prefix-end.ts'
import { KeyLowering } from '../../../packages/query/src/key/key-lowering.ts'
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

describe('KeyLowering', () => {
  it('R-152: matches by the keys what matches by the parts', () => {
    const lowering = new KeyLowering(keyModel)
    let lowered = 0
    fc.assert(
      fc.property(filter, fc.array(row, { minLength: 1, maxLength: 20 }), (node, rows) => {
        let byKeys: FilterNode | undefined
        try {
          byKeys = lowering.lower(node)
        } catch (error) {
          expect(error).toBeInstanceOf(QueryError)
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

it('leaves ne on a property that is no part of a key as it is', () => {
  const ne = comparison('name', 'ne', literalOf('Jeff'))
  const own = comparison('RowKey', 'ne', literalOf('o_1'))
  const common = "RowKey ge 'o_' and RowKey lt 'o`'"
  const lowered = (node: FilterNode) => printFilter(new KeyLowering(keyModel).lower(node)!)
  expect(lowered(ne)).toBe(`${common} and name ne 'Jeff'`)
  expect(lowered(or(ne, not(own)))).toBe(`${common} and (name ne 'Jeff' or not (RowKey ne 'o_1'))`)
})

it('asks a part in order that keeps no prefixes, as a Guid, for both ends of a short range', () => {
  const id = { property: 'id', order: 'ascending', fixedLength: 2, print: String } as const
  const model: QueryModel = { ...keyModel, keys: { rowKey: { segments: [id] } } }
  const between = and(
    comparison('id', 'ge', literalOf('a3')),
    comparison('id', 'lt', literalOf('a4')),
  )
  expect(printFilter(new KeyLowering(model).lower(between)!)).toBe(
    "RowKey ge 'a3' and RowKey lt 'a4'",
  )
})
