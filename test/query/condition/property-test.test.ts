import { EntityProperty, parseFilter, pointReadsOf, printFilter } from '@rowkey/odata'
import {
  anyOf,
  between,
  eq,
  ge,
  gt,
  le,
  lt,
  missing,
  ne,
  notMissing,
  queryOf,
  startsWith,
} from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import {
  operandLiteral,
  PropertyTest,
  propertyFilter,
} from '../../../packages/query/src/condition/property-test.ts'
import { resolveColumn } from '../../../packages/query/src/model/query-model.ts'
import { invalidQuery, invalidValue } from '../../support/rejections.ts'
import { type Customer, customerModel } from '../customer.ts'

it.each([
  [eq(1), 'eq', [1]],
  [ne('a'), 'ne', ['a']],
  [gt(1n), 'gt', [1n]],
  [ge(1), 'ge', [1]],
  [lt(1), 'lt', [1]],
  [le(1), 'le', [1]],
  [between(1, 2), 'between', [1, 2]],
  [startsWith('a'), 'startsWith', ['a']],
  [missing, 'missing', []],
  [notMissing, 'stored', []],
])('records a test: %o', (test, operator, operands) => {
  expect(test).toBeInstanceOf(PropertyTest)
  expect(test).toEqual({ operator, operands })
})

it('rejects a list that no filter can hold, and says what to do', () => {
  expect(anyOf(Array.from({ length: 10_000 }, String)).operands).toHaveLength(10_000)
  for (const length of [10_001, 1_000_000]) {
    const many = Array.from({ length }, String)
    expect(() => anyOf(many)).toThrow(invalidQuery)
    expect(() => anyOf(many)).toThrow(/takes at most 10000.*getMany/)
  }
})

describe('the filter of a property', () => {
  const filterOf = (property: string, test: PropertyTest<unknown>) =>
    printFilter(propertyFilter(customerModel, resolveColumn(customerModel, property), test))

  describe('propertyFilter', () => {
    it.each(['eq', 'ne', 'gt', 'ge', 'lt', 'le'] as const)(
      'R-28: writes %s between spaces',
      (operator) => {
        expect(filterOf('age', new PropertyTest(operator, 30))).toBe(`age ${operator} 30`)
      },
    )

    it.each([
      ['lastName', "O'Brien", "PartitionKey eq 'O''Brien'"],
      ['customerEmailAddress', '', "cea eq ''"],
      ['age', 30, 'age eq 30'],
      ['rating', 5, 'rating eq 5.0'],
      ['points', 2n ** 53n + 1n, 'points eq 9007199254740993L'],
      ['points', 5, 'points eq 5L'],
      ['active', true, 'active eq true'],
      ['since', new Date('2012-11-10T03:04:05.200Z'), "since eq datetime'2012-11-10T03:04:05.2Z'"],
      [
        'account',
        'C9DA6455-213D-42C9-9A79-3E9149A57833',
        "account eq guid'c9da6455-213d-42c9-9a79-3e9149a57833'",
      ],
      ['photo', Uint8Array.of(10, 11), "photo eq X'0a0b'"],
    ])('R-29: writes the literal of %s by its type', (property, value, text) => {
      expect(filterOf(property, eq(value))).toBe(text)
    })

    it('writes anyOf as an or', () => {
      expect(filterOf('age', anyOf([18, 21, 18]))).toBe('age eq 18 or age eq 21')
    })

    it('writes between as two comparisons with both ends', () => {
      expect(filterOf('age', between(18, 65))).toBe('age ge 18 and age le 65')
      expect(filterOf('age', between(18, 18))).toBe('age ge 18 and age le 18')
    })

    it('rejects a range whose ends are swapped', () => {
      expect(() => filterOf('points', between(2n, 1n))).toThrow(invalidQuery)
      expect(() => filterOf('points', between(2n, 1n))).toThrow(/Customer\.points.*Swap them/)
    })

    it('rejects a range without one end', () => {
      expect(() => filterOf('age', new PropertyTest('between', 18))).toThrow(invalidQuery)
    })

    it('R-30: writes a prefix as a half-open range', () => {
      expect(filterOf('lastName', startsWith('A'))).toBe(
        "PartitionKey ge 'A' and PartitionKey lt 'B'",
      )
      expect(filterOf('lastName', startsWith("O'"))).toBe(
        "PartitionKey ge 'O''' and PartitionKey lt 'O('",
      )
    })

    it('writes only a lower bound for a prefix that no text sorts after', () => {
      expect(filterOf('lastName', startsWith('\u{ffff}'))).toBe("PartitionKey ge '\u{ffff}'")
      expect(filterOf('customerEmailAddress', startsWith(''))).toBe("cea ge ''")
    })

    it('rejects a prefix of a property that is not a String', () => {
      expect(() => filterOf('age', startsWith('3'))).toThrow(
        /age is compared as Int32, and startsWith works only on a String/,
      )
      const guid = startsWith('c9da6455-213d-42c9-9a79-3e9149a57833')
      expect(() => filterOf('account', guid)).toThrow(/compared as Guid/)
      expect(() => filterOf('state', new PropertyTest('startsWith', 5))).toThrow(invalidQuery)
    })
  })

  const oneOf = (property: string, values: readonly unknown[]) =>
    filterOf(property, new PropertyTest('in', ...values))

  const query = queryOf<Customer>(customerModel)

  describe('propertyFilter of missing', () => {
    it.each([
      ['state', "state eq '' or state ne ''"],
      ['rating', 'rating eq 0.0 or rating ne 0.0'],
      ['points', 'points eq 0L or points ne 0L'],
      ['photo', "photo eq X'' or photo ne X''"],
    ])('compares %s with a value of its type', (property, text) => {
      expect(filterOf(property, notMissing)).toBe(text)
      expect(filterOf(property, missing)).toBe(`not (${text})`)
    })

    it('rejects a key, which is never missing', () => {
      expect(() => filterOf('lastName', missing)).toThrow(invalidQuery)
      expect(() => filterOf('lastName', notMissing)).toThrow(/never missing/)
    })
  })

  describe('propertyFilter of anyOf', () => {
    it.each([
      ['state', ['open', 'closed'], "state eq 'open' or state eq 'closed'"],
      ['rating', [5, 0.5], 'rating eq 5.0 or rating eq 0.5'],
      ['points', [1n, 1, 2], 'points eq 1L or points eq 2L'],
      ['lastName', ["O'Neil"], "PartitionKey eq 'O''Neil'"],
      ['age', [30, 30], 'age eq 30'],
      ['photo', [Uint8Array.of(1), Uint8Array.of(2)], "photo eq X'01' or photo eq X'02'"],
    ])('R-29: writes %s in %o', (property, values, text) => {
      expect(oneOf(property, values)).toBe(text)
    })

    it('writes false for an empty list', () => {
      expect(oneOf('age', [])).toBe('false')
    })

    it.each([[[30, null]], [[undefined]]])('rejects %o', (values) => {
      expect(() => oneOf('age', values)).toThrow(invalidQuery)
    })

    it('rejects a value that the type of the property cannot hold', () => {
      expect(() => oneOf('age', [30, '31'])).toThrow(invalidValue)
    })
  })

  describe('a query with anyOf', () => {
    it('has the same filter in the callback and in the object, in parentheses', () => {
      const text = "PartitionKey eq 'Smith' and (age eq 18 or age eq 21)"
      const inCallback = query.where((c) => c.lastName.eq('Smith').and(c.age.in([18, 21])))
      expect(inCallback.compile().filter).toBe(text)
      expect(query.where({ lastName: 'Smith', age: anyOf([18, 21]) }).compile().filter).toBe(text)
    })

    it('R-41: names whole keys when it is about both keys', () => {
      const { filter: text = '' } = query
        .where({ lastName: 'Smith', firstName: anyOf(['Jeff', 'Ann']) })
        .compile()
      expect(pointReadsOf(parseFilter(text))).toEqual([
        { partitionKey: 'Smith', rowKey: 'Ann' },
        { partitionKey: 'Smith', rowKey: 'Jeff' },
      ])
    })

    it.each(['open', 5, null, undefined, new Set(['open']), { length: 1 }])(
      'rejects %o as a list, so that no text is split into characters',
      (given) => {
        expect(() => anyOf(given as never)).toThrow(invalidQuery)
        expect(() => query.where((c) => c.state.in(given as never))).toThrow(/anyOf takes an array/)
      },
    )
  })

  const literal = (property: string, operand: unknown) =>
    operandLiteral(customerModel, resolveColumn(customerModel, property), operand)

  describe('operandLiteral', () => {
    it('uses the type that the column declares', () => {
      expect(literal('points', 5)).toEqual({ type: 'Int64', value: 5n })
      expect(literal('rating', 5)).toEqual({ type: 'Double', value: 5 })
      expect(literal('lastName', 'Smith')).toEqual({ type: 'String', value: 'Smith' })
    })

    it('uses the type of the value where no type is declared', () => {
      expect(literal('state', 'open')).toEqual({ type: 'String', value: 'open' })
      expect(literal('state', 5)).toEqual({ type: 'Int32', value: 5 })
      expect(literal('state', 5n)).toEqual({ type: 'Int64', value: 5n })
    })

    it('uses the type of an EntityProperty where no type is declared', () => {
      expect(literal('state', EntityProperty.double(5))).toEqual({ type: 'Double', value: 5 })
    })

    it.each([null, undefined])('rejects %s with the reason', (operand) => {
      const act = () => literal('age', operand)
      expect(act).toThrow(invalidQuery)
      expect(act).toThrow(
        `Customer.age cannot be compared with ${operand}: it is never stored, and every comparison with an absent property is false. Leave the condition out, or check the value first.`,
      )
      expect(() => literal('state', operand)).toThrow(invalidQuery)
    })

    it.each([{}, [], () => 1, Symbol('x'), new Map()])(
      'rejects %o, which is not an Edm value',
      (operand) => {
        expect(() => literal('state', operand)).toThrow(invalidQuery)
        expect(() => literal('age', operand)).toThrow(invalidValue)
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
    ])('rejects for %s the value %o', (property, operand) => {
      expect(() => literal(property, operand)).toThrow(invalidValue)
      expect(() => literal(property, operand)).toThrow(property)
    })
  })
})
