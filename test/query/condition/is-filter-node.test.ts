import {
  and,
  booleanProperty,
  comparison,
  constant,
  literalOf,
  not,
  or,
  parseFilter,
  rawFilter,
} from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { isFilterNode } from '../../../packages/query/src/condition/is-filter-node.ts'

const active = booleanProperty('active')
const adult = comparison('age', 'ge', literalOf(18))

describe('isFilterNode', () => {
  it.each([
    active,
    adult,
    constant(true),
    and(active, adult),
    or(active, adult),
    not(active),
    rawFilter('age add 1 gt 30'),
    parseFilter("not (PartitionKey eq 'Smith' and age gt 30)"),
  ])('knows %o', (node) => {
    expect(isFilterNode(node)).toBe(true)
  })

  it('does not take a record that came as JSON for a tree', () => {
    expect(isFilterNode(JSON.parse(JSON.stringify(and(active, adult))))).toBe(false)
  })

  it.each([
    [undefined],
    [null],
    [true],
    ['active'],
    [Object.freeze({})],
    [Object.freeze({ kind: 'and' })],
    [Object.freeze({ kind: 'raw', text: 5 })],
    [Object.freeze({ kind: 'not', operand: { kind: 'property', property: 'active' } })],
    [Object.freeze({ kind: 'comparison', property: 'age', operator: 'like' })],
    [Object.freeze({ kind: 'somebody' })],
    [Object.freeze([active])],
  ])('does not know %o', (given) => {
    expect(isFilterNode(given)).toBe(false)
  })
})
