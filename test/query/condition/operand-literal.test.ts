import { EntityProperty, PropertyValueError } from '@rowkey/odata'
import { QueryError } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { operandLiteral } from '../../../packages/query/src/condition/operand-literal.ts'
import { resolveColumn } from '../../../packages/query/src/resolve-column.ts'
import { customerModel } from '../customer.ts'

const literal = (property: string, operand: unknown) =>
  operandLiteral(customerModel, resolveColumn(customerModel, property), operand)

describe('operandLiteral', () => {
  it('takes the type that the column declares', () => {
    expect(literal('points', 5)).toEqual({ type: 'Int64', value: 5n })
    expect(literal('rating', 5)).toEqual({ type: 'Double', value: 5 })
    expect(literal('lastName', 'Smith')).toEqual({ type: 'String', value: 'Smith' })
  })

  it('takes the type of the value where none is declared', () => {
    expect(literal('state', 'open')).toEqual({ type: 'String', value: 'open' })
    expect(literal('state', 5)).toEqual({ type: 'Int32', value: 5 })
    expect(literal('state', 5n)).toEqual({ type: 'Int64', value: 5n })
  })

  it('takes the type that an EntityProperty carries where none is declared', () => {
    expect(literal('state', EntityProperty.double(5))).toEqual({ type: 'Double', value: 5 })
  })

  it.each([null, undefined])('refuses %s with the reason', (operand) => {
    const refused = () => literal('age', operand)
    expect(refused).toThrow(QueryError)
    expect(refused).toThrow(
      `Customer.age cannot be compared with ${operand}: it is never stored, and every comparison with an absent property is false. Leave the condition out, or check the value first.`,
    )
    expect(() => literal('state', operand)).toThrow(QueryError)
  })

  it.each([{}, [], () => 1, Symbol('x'), new Map()])(
    'refuses %o, which is no Edm value',
    (operand) => {
      expect(() => literal('state', operand)).toThrow(QueryError)
      expect(() => literal('age', operand)).toThrow(PropertyValueError)
    },
  )

  it.each([
    ['age', 'thirty'],
    ['age', 2.5],
    ['age', 2 ** 31],
    ['points', 'many'],
    ['lastName', 5],
    ['active', 'yes'],
    ['since', 'yesterday'],
    ['since', new Date(Number.NaN)],
    ['account', 'not a guid'],
    ['photo', 'text'],
  ])('refuses for %s the value %o', (property, operand) => {
    expect(() => literal(property, operand)).toThrow(PropertyValueError)
    expect(() => literal(property, operand)).toThrow(property)
  })
})
