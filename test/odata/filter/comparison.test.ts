import {
  COMPARISON_OPERATORS,
  comparison,
  FilterSyntaxError,
  literalOf,
  PropertyNameError,
  PropertyValueError,
} from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { isComparisonOperator } from '../../../packages/odata/src/filter/comparison.ts'

describe('comparison', () => {
  it('is a frozen node', () => {
    const node = comparison('age', 'gt', literalOf(5))
    expect(node).toEqual({
      kind: 'comparison',
      property: 'age',
      operator: 'gt',
      literal: { type: 'Int32', value: 5 },
    })
    expect(Object.isFrozen(node) && Object.isFrozen(node.literal)).toBe(true)
  })

  it.each(['a-b', '', 'a eq 1 or b', 'true', 'null', 'not', 'and', 'or', 'NaN', 'INF', undefined])(
    'takes no property named %j',
    (name) => {
      expect(() => comparison(name as never, 'eq', literalOf(1))).toThrow(PropertyNameError)
    },
  )

  it.each(['==', 'EQ', '', undefined, 'toString'])('takes no operator %j', (operator) => {
    expect(() => comparison('a', operator as never, literalOf(1))).toThrow(FilterSyntaxError)
  })

  it('refuses a key against other than a String, and a Timestamp against other than a DateTime', () => {
    expect(() => comparison('RowKey', 'eq', literalOf(5))).toThrow('RowKey is String')
    expect(() => comparison('PartitionKey', 'eq', literalOf(true))).toThrow(PropertyValueError)
    expect(() => comparison('Timestamp', 'gt', literalOf('2012'))).toThrow('Timestamp is DateTime')
    expect(() => comparison('Timestamp', 'gt', literalOf(new Date(0)))).not.toThrow()
  })

  it('refuses a literal that is none of its type', () => {
    const literal = { type: 'Int32', value: '5' } as never
    expect(() => comparison('a', 'eq', literal)).toThrow(PropertyValueError)
  })
})

describe('isComparisonOperator', () => {
  it('knows the six', () => {
    expect(COMPARISON_OPERATORS.every(isComparisonOperator)).toBe(true)
    expect(COMPARISON_OPERATORS).toHaveLength(6)
    expect(isComparisonOperator('and')).toBe(false)
  })
})
