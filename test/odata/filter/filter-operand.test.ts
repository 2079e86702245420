import { booleanProperty, FilterSyntaxError, literalOf, not } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import {
  type FilterOperand,
  toComparison,
  toCondition,
  toConditions,
  typeOf,
} from '../../../packages/odata/src/filter/filter-operand.ts'

const TEXT = '0123456789'
const property: FilterOperand = { kind: 'property', property: 'A', position: 1 }
const key: FilterOperand = { kind: 'property', property: 'RowKey', position: 1 }
const five: FilterOperand = { kind: 'literal', literal: literalOf(5), position: 2 }
const yes: FilterOperand = { kind: 'literal', literal: literalOf(true), position: 2 }
const condition: FilterOperand = { kind: 'condition', node: not(booleanProperty('B')), position: 3 }

describe('toCondition', () => {
  it('accepts a Boolean, and a property that may be one', () => {
    expect(toCondition(TEXT, condition)).toBe(condition.node)
    expect(toCondition(TEXT, property)).toEqual(booleanProperty('A'))
    expect(toCondition(TEXT, yes)).toEqual({ kind: 'constant', value: true })
  })

  it('rejects an operand that cannot be Boolean', () => {
    expect(() => toCondition(TEXT, five)).toThrow(FilterSyntaxError)
    expect(() => toCondition(TEXT, key)).toThrow(FilterSyntaxError)
  })
})

describe('typeOf', () => {
  it('returns the type of constants, conditions and system properties', () => {
    const types = [five, condition, key, property].map(typeOf)
    expect(types).toEqual(['Int32', 'Boolean', 'String', undefined])
  })
})

describe('toConditions', () => {
  it('converts each operand', () => {
    expect(toConditions(TEXT, 'and', [condition, yes])).toHaveLength(2)
  })

  it('reports the types on both sides of the operator', () => {
    const reported = (...types: readonly unknown[]) =>
      expect.objectContaining({ operands: { operator: 'or', types } })
    expect(() => toConditions(TEXT, 'or', [five, key])).toThrow(reported('Int32', 'String'))
    expect(() => toConditions(TEXT, 'or', [property, key])).toThrow(reported(undefined, 'String'))
    expect(() => toConditions(TEXT, 'or', [property, yes, five])).toThrow(
      reported('Boolean', 'Int32'),
    )
  })
})

describe('toComparison', () => {
  it('puts the property on the left', () => {
    const left = toComparison(TEXT, property, 'gt', five)
    expect(toComparison(TEXT, five, 'lt', property)).toEqual(left)
  })

  it('reports the position of the wrong side', () => {
    const at = (position: number) => expect.objectContaining({ position })
    expect(() => toComparison(TEXT, property, 'eq', condition)).toThrow(at(3))
    expect(() => toComparison(TEXT, condition, 'eq', five)).toThrow(at(3))
    expect(() => toComparison(TEXT, key, 'eq', five)).toThrow(at(2))
    expect(() => toComparison(TEXT, five, 'eq', yes)).toThrow(at(2))
  })

  it('reports the types from left to right when they cannot be compared', () => {
    const reported = (operands: unknown) => expect.objectContaining({ operands })
    const types = ['Int32', 'String']
    expect(() => toComparison(TEXT, five, 'lt', key)).toThrow(reported({ operator: 'lt', types }))
    expect(() => toComparison(TEXT, property, 'eq', condition)).toThrow(reported(undefined))
  })
})
