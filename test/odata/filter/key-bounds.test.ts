import {
  EntityProperty,
  evaluateFilter,
  type Interval,
  keyBounds,
  parseFilter,
} from '@rowkey/odata'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const open = { lowInclusive: true, highInclusive: true, empty: false }
const rowKey = (text: string) => keyBounds(parseFilter(text)).rowKey

describe('keyBounds', () => {
  it.each([
    ["RowKey eq 'a'", { ...open, low: 'a', high: 'a', exact: 'a' }],
    ["RowKey ge 'a'", { ...open, low: 'a' }],
    ["RowKey gt 'a'", { ...open, low: 'a', lowInclusive: false }],
    ["RowKey le 'a'", { ...open, high: 'a' }],
    ["RowKey lt 'a'", { ...open, high: 'a', highInclusive: false }],
    ["RowKey ge 'a' and RowKey lt 'b'", { ...open, low: 'a', high: 'b', highInclusive: false }],
    ["RowKey ge 'a' and RowKey gt 'a'", { ...open, low: 'a', lowInclusive: false }],
    ["RowKey gt 'a' and RowKey ge 'a'", { ...open, low: 'a', lowInclusive: false }],
    ["RowKey gt 'a' and RowKey ge 'b'", { ...open, low: 'b' }],
    ["RowKey gt 'b' and RowKey ge 'a'", { ...open, low: 'b', lowInclusive: false }],
    ["RowKey lt 'a' and RowKey le 'b'", { ...open, high: 'a', highInclusive: false }],
    ["RowKey lt 'b' and RowKey le 'a'", { ...open, high: 'a' }],
    ["RowKey ge 'a' and RowKey le 'a'", { ...open, low: 'a', high: 'a', exact: 'a' }],
    ["'a' lt RowKey", { ...open, low: 'a', lowInclusive: false }],
    ["Flag and (RowKey ge 'a' and A eq 1)", { ...open, low: 'a' }],
    ["RowKey eq ''", { ...open, low: '', high: '', exact: '' }],
  ] as const)('of %s', (text, expected) => {
    expect(rowKey(text)).toEqual(expected)
  })

  it.each([
    "RowKey ne 'a'",
    "not (RowKey eq 'a')",
    "RowKey eq 'a' or RowKey eq 'b'",
    "PartitionKey eq 'a'",
    "rowKey eq 'a'",
    'true',
  ])('of %s are open', (text) => {
    expect(rowKey(text)).toEqual(open)
  })

  it.each([
    "RowKey eq 'a' and RowKey eq 'b'",
    "RowKey gt 'a' and RowKey le 'a'",
    "RowKey ge 'b' and RowKey le 'a'",
    "RowKey eq 'a' and RowKey lt 'a'",
  ])('of %s are empty', (text) => {
    expect(rowKey(text)).toMatchObject({ empty: true })
    expect(rowKey(text)).not.toHaveProperty('exact')
  })

  it('bounds both keys, and neither without a filter', () => {
    const bounds = keyBounds(parseFilter("PartitionKey eq 'Smith' and RowKey ge 'J'"))
    expect(bounds.partitionKey.exact).toBe('Smith')
    expect(bounds.rowKey.low).toBe('J')
    expect(keyBounds(undefined)).toEqual({ partitionKey: open, rowKey: open })
  })

  it('contains exactly the keys that match', () => {
    const terms = fc.tuple(
      fc.constantFrom('eq', 'ge', 'gt', 'le', 'lt'),
      fc.constantFrom('', 'a', 'b', 'c'),
    )
    const keys = ['', '\0', 'a', 'a\0', 'aa', 'b', 'b\0', 'c', 'c\0', 'd']
    fc.assert(
      fc.property(fc.array(terms, { minLength: 1, maxLength: 4 }), (list) => {
        const node = parseFilter(list.map(([op, key]) => `RowKey ${op} '${key}'`).join(' and '))
        const interval = keyBounds(node).rowKey
        const matching = keys.filter(
          (key) => node && evaluateFilter(node, () => EntityProperty.string(key)),
        )
        expect(keys.filter((key) => holdsKey(interval, key))).toEqual(matching)
      }),
      { numRuns: 1_000 },
    )
  })
})

function holdsKey(interval: Interval, key: string): boolean {
  const { low, lowInclusive, high, highInclusive } = interval
  const isAbove = low === undefined || key > low || (lowInclusive && key === low)
  const isBelow = high === undefined || key < high || (highInclusive && key === high)
  return isAbove && isBelow
}
