import {
  and,
  booleanProperty,
  comparison,
  constant,
  literalOf,
  not,
  or,
  parseFilter,
  printFilter,
  rawFilter,
} from '@rowkey/odata'
import { Condition } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { isFilterNode, nodeOf } from '../../../packages/query/src/condition/condition.ts'
import { invalidQuery } from '../../support/rejections.ts'

const active = new Condition(booleanProperty('active'))
const adult = new Condition(comparison('age', 'ge', literalOf(18)))
const smith = comparison('PartitionKey', 'eq', literalOf('Smith'))
const text = (condition: Condition) => printFilter(condition.node)

describe('Condition', () => {
  it('joins with and, or and not, with parentheses where they are needed', () => {
    expect(text(active.and(adult))).toBe('active and age ge 18')
    expect(text(active.or(adult))).toBe('active or age ge 18')
    expect(text(active.or(adult).and(smith))).toBe(
      "(active or age ge 18) and PartitionKey eq 'Smith'",
    )
    expect(text(adult.and(active, smith))).toBe("age ge 18 and active and PartitionKey eq 'Smith'")
    expect(text(active.and(adult).not())).toBe('not (active and age ge 18)')
  })

  it('does not change when it is joined', () => {
    active.and(adult)
    expect(text(active)).toBe('active')
  })

  it('stays the same when joined with nothing', () => {
    expect(text(active.and())).toBe('active')
    expect(text(active.or())).toBe('active')
  })

  it.each([true, false, null, undefined, 'age gt 30', {}, Promise.resolve(active)])(
    'rejects %o as another condition',
    (given) => {
      expect(() => active.and(given as never)).toThrow(invalidQuery)
      expect(() => active.or(given as never)).toThrow(invalidQuery)
      expect(() => nodeOf(given)).toThrow(/Expected a condition; got .*\.and, \.or and \.not/)
    },
  )
})

const isActive = booleanProperty('active')
const isAdult = comparison('age', 'ge', literalOf(18))

describe('isFilterNode', () => {
  it.each([
    isActive,
    isAdult,
    constant(true),
    and(isActive, isAdult),
    or(isActive, isAdult),
    not(isActive),
    rawFilter('age add 1 gt 30'),
    parseFilter("not (PartitionKey eq 'Smith' and age gt 30)"),
  ])('accepts %o', (node) => {
    expect(isFilterNode(node)).toBe(true)
  })

  it('rejects a record that came as JSON', () => {
    expect(isFilterNode(JSON.parse(JSON.stringify(and(isActive, isAdult))))).toBe(false)
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
    [Object.freeze({ kind: 'unknown' })],
    [Object.freeze([isActive])],
  ])('rejects %o', (given) => {
    expect(isFilterNode(given)).toBe(false)
  })
})
