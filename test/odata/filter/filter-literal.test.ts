import { EntityProperty, literalOf, PropertyValueError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { printLiteral } from '../../../packages/odata/src/filter/filter-literal.ts'

describe('literalOf', () => {
  it('finds the type, or takes the one given', () => {
    expect(literalOf(5)).toEqual({ type: 'Int32', value: 5 })
    expect(literalOf(5, 'Double')).toEqual({ type: 'Double', value: 5 })
    expect(literalOf(5, 'Int64')).toEqual({ type: 'Int64', value: 5n })
  })

  it('takes type and value of a property', () => {
    expect(literalOf(EntityProperty.double(5))).toEqual({ type: 'Double', value: 5 })
    expect(literalOf(EntityProperty.int32(5), 'Int64')).toEqual({ type: 'Int64', value: 5n })
  })

  it('is frozen', () => {
    expect(Object.isFrozen(literalOf(5))).toBe(true)
  })

  it.each([null, undefined, {}, [], Symbol('x')])('refuses %o', (value) => {
    expect(() => literalOf(value as never)).toThrow(PropertyValueError)
  })

  it('R-29: refuses a constant that is not of the type given', () => {
    expect(() => literalOf('5', 'Int32')).toThrow(PropertyValueError)
    expect(() => literalOf(5, 'Decimal' as never)).toThrow(PropertyValueError)
  })
})

describe('printLiteral', () => {
  it('checks before it prints', () => {
    expect(printLiteral({ type: 'Int64', value: 5n }, 'a')).toBe('5L')
    const wrong = { type: 'Boolean', value: 'true or true' } as never
    expect(() => printLiteral(wrong, 'a')).toThrow('Property "a" cannot hold')
  })

  it.each([undefined, null, {}, { type: 'Decimal', value: 5 }])('refuses %o', (literal) => {
    expect(() => printLiteral(literal as never, 'a')).toThrow(PropertyValueError)
  })
})
