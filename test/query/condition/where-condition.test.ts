import { parseFilter, printFilter } from '@rowkey/odata'
import type { QueryShape } from '@rowkey/query'
import { gt, QueryError } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { conditionFilter } from '../../../packages/query/src/condition/where-condition.ts'
import { type Customer, customerModel } from '../customer.ts'

const filter = (condition: Parameters<typeof conditionFilter<QueryShape<Customer>>>[1]) =>
  printFilter(conditionFilter<QueryShape<Customer>>(customerModel, condition))

describe('conditionFilter', () => {
  it('R-164: makes the same filter of an expression, an object and a text', () => {
    const text = "PartitionKey eq 'Smith' and points gt 100L"
    expect(filter((c) => c.lastName.eq('Smith').and(c.points.gt(100n)))).toBe(text)
    expect(filter({ lastName: 'Smith', points: gt(100n) })).toBe(text)
    expect(filter(parseFilter(text)!)).toBe(text)
  })

  it('takes a bare Boolean from the callback, and a filter node', () => {
    expect(filter((c) => c.active)).toBe('active')
    expect(filter((c) => c.active.not())).toBe('not (active)')
    expect(filter(() => parseFilter('age gt 30')!)).toBe('age gt 30')
    expect(filter((c) => c.active.or(parseFilter('age gt 30')!))).toBe('active or age gt 30')
  })

  it.each([undefined, null, true, 5, 'age gt 30', Symbol('x')])('refuses %o', (condition) => {
    expect(() => filter(condition as never)).toThrow(QueryError)
    expect(() => filter(condition as never)).toThrow(/condition on Customer/)
  })

  it.each([() => undefined, () => false, () => ({}), async () => ({})])(
    'refuses a callback that gives no condition back: %s',
    (callback) => {
      expect(() => filter(callback as never)).toThrow(/A condition was expected/)
    },
  )
})
