import { booleanProperty, FilterSyntaxError, literalOf, not } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import {
  type FilterOperand,
  toComparison,
  toCondition,
} from '../../../packages/odata/src/filter/filter-operand.ts'

const TEXT = '0123456789'
const property: FilterOperand = { kind: 'property', property: 'A', position: 1 }
const key: FilterOperand = { kind: 'property', property: 'RowKey', position: 1 }
const five: FilterOperand = { kind: 'literal', literal: literalOf(5), position: 2 }
const yes: FilterOperand = { kind: 'literal', literal: literalOf(true), position: 2 }
const condition: FilterOperand = { kind: 'condition', node: not(booleanProperty('B')), position: 3 }

describe('toCondition', () => {
  it('takes what is Boolean, or may be', () => {
    expect(toCondition(TEXT, condition)).toBe(condition.node)
    expect(toCondition(TEXT, property)).toEqual(booleanProperty('A'))
    expect(toCondition(TEXT, yes)).toEqual({ kind: 'constant', value: true })
  })

  it('refuses what is known not to be', () => {
    expect(() => toCondition(TEXT, five)).toThrow(FilterSyntaxError)
    expect(() => toCondition(TEXT, key)).toThrow(FilterSyntaxError)
  })
})

describe('toComparison', () => {
  it('puts the property on the left', () => {
    const left = toComparison(TEXT, property, 'gt', five)
    expect(toComparison(TEXT, five, 'lt', property)).toEqual(left)
  })

  it('says which side is wrong', () => {
    const at = (position: number) => expect.objectContaining({ position })
    expect(() => toComparison(TEXT, property, 'eq', condition)).toThrow(at(3))
    expect(() => toComparison(TEXT, condition, 'eq', five)).toThrow(at(3))
    expect(() => toComparison(TEXT, key, 'eq', five)).toThrow(at(2))
    expect(() => toComparison(TEXT, five, 'eq', yes)).toThrow(at(2))
  })
})
