import { PropertyValueError, parseFilter, pointReadsOf, printFilter } from '@rowkey/odata'
import { anyOf, QueryError, queryOf } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { oneOfFilter } from '../../../packages/query/src/condition/one-of-filter.ts'
import { resolveColumn } from '../../../packages/query/src/resolve-column.ts'
import { type Customer, customerModel } from '../customer.ts'

const filter = (property: string, values: readonly unknown[]) =>
  printFilter(oneOfFilter(customerModel, resolveColumn(customerModel, property), values))

const query = queryOf<Customer>(customerModel)

describe('oneOfFilter', () => {
  it.each([
    ['state', ['open', 'closed'], "state eq 'open' or state eq 'closed'"],
    ['rating', [5, 0.5], 'rating eq 5.0 or rating eq 0.5'],
    ['points', [1n, 1, 2], 'points eq 1L or points eq 2L'],
    ['lastName', ["O'Neil"], "PartitionKey eq 'O''Neil'"],
    ['age', [30, 30], 'age eq 30'],
    ['photo', [Uint8Array.of(1), Uint8Array.of(2)], "photo eq X'01' or photo eq X'02'"],
  ])('R-29: writes %s in %o', (property, values, text) => {
    expect(filter(property, values)).toBe(text)
  })

  it('refuses a list of nothing, with the reason', () => {
    expect(() => filter('age', [])).toThrow(QueryError)
    expect(() => filter('age', [])).toThrow(/Customer\.age.*one of no values.*empty/)
  })

  it.each([[[30, null]], [[undefined]]])('refuses %o', (values) => {
    expect(() => filter('age', values)).toThrow(QueryError)
  })

  it('refuses a value that the type of the property cannot hold', () => {
    expect(() => filter('age', [30, '31'])).toThrow(PropertyValueError)
  })
})

describe('one of some values', () => {
  it('is the same in the callback and in the object, and binds as one condition', () => {
    const text = "PartitionKey eq 'Smith' and (age eq 18 or age eq 21)"
    const inCallback = query.where((c) => c.lastName.eq('Smith').and(c.age.in([18, 21])))
    expect(inCallback.compile().filter).toBe(text)
    expect(query.where({ lastName: 'Smith', age: anyOf([18, 21]) }).compile().filter).toBe(text)
  })

  it('R-41: names whole keys when it is over both of them', () => {
    const { filter: text = '' } = query
      .where({ lastName: 'Smith', firstName: anyOf(['Jeff', 'Ann']) })
      .compile()
    expect(pointReadsOf(parseFilter(text))).toEqual([
      { partitionKey: 'Smith', rowKey: 'Ann' },
      { partitionKey: 'Smith', rowKey: 'Jeff' },
    ])
  })

  it.each(['open', 5, null, undefined, new Set(['open']), { length: 1 }])(
    'refuses %o for a list, so that no text is taken apart',
    (given) => {
      expect(() => anyOf(given as never)).toThrow(QueryError)
      expect(() => query.where((c) => c.state.in(given as never))).toThrow(/as an array/)
    },
  )
})
