import { printFilter } from '@rowkey/odata'
import { anyOf, between, eq, PropertyTest, QueryError, startsWith } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { propertyFilter } from '../../../packages/query/src/condition/property-filter.ts'
import { resolveColumn } from '../../../packages/query/src/resolve-column.ts'
import { customerModel } from '../customer.ts'

const filter = (property: string, test: PropertyTest<unknown>) =>
  printFilter(propertyFilter(customerModel, resolveColumn(customerModel, property), test))

describe('propertyFilter', () => {
  it.each(['eq', 'ne', 'gt', 'ge', 'lt', 'le'] as const)(
    'R-28: writes %s between spaces',
    (operator) => {
      expect(filter('age', new PropertyTest(operator, 30))).toBe(`age ${operator} 30`)
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
    expect(filter(property, eq(value))).toBe(text)
  })

  it('writes one of some values as an or of them', () => {
    expect(filter('age', anyOf([18, 21, 18]))).toBe('age eq 18 or age eq 21')
  })

  it('writes between as two comparisons with both ends', () => {
    expect(filter('age', between(18, 65))).toBe('age ge 18 and age le 65')
    expect(filter('age', between(18, 18))).toBe('age ge 18 and age le 18')
  })

  it('refuses a range the wrong way round', () => {
    expect(() => filter('points', between(2n, 1n))).toThrow(QueryError)
    expect(() => filter('points', between(2n, 1n))).toThrow(/Customer\.points.*Swap them/)
  })

  it('refuses a range with one end missing', () => {
    expect(() => filter('age', new PropertyTest('between', 18))).toThrow(QueryError)
  })

  it('R-30: writes a prefix as a half-open range', () => {
    expect(filter('lastName', startsWith('A'))).toBe("PartitionKey ge 'A' and PartitionKey lt 'B'")
    expect(filter('lastName', startsWith("O'"))).toBe(
      "PartitionKey ge 'O''' and PartitionKey lt 'O('",
    )
  })

  it('writes a prefix that nothing sorts after as a lower bound alone', () => {
    expect(filter('lastName', startsWith('\u{ffff}'))).toBe("PartitionKey ge '\u{ffff}'")
    expect(filter('customerEmailAddress', startsWith(''))).toBe("cea ge ''")
  })

  it('refuses a prefix of what is no String', () => {
    expect(() => filter('age', startsWith('3'))).toThrow(
      /age is compared as Int32, and only a String/,
    )
    const guid = startsWith('c9da6455-213d-42c9-9a79-3e9149a57833')
    expect(() => filter('account', guid)).toThrow(/compared as Guid/)
    expect(() => filter('state', new PropertyTest('startsWith', 5))).toThrow(QueryError)
  })
})
