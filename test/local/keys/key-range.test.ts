import { keyBounds, parseFilter } from '@rowkey/odata'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  EVERYTHING,
  holdsKey,
  intersection,
  type KeyEnd,
  printStoreKey,
  rangeBetween,
  rangeFrom,
  rangeOf,
} from '../../../packages/local/src/keys/key-range.ts'

const rangeFor = (filter: string) => rangeOf(keyBounds(parseFilter(filter)))

const holds = (filter: string, partitionKey: string, rowKey: string) => {
  const { low, high } = rangeFor(filter)
  const key = printStoreKey(partitionKey, rowKey)
  return key >= low && (high === undefined || key < high)
}

describe('printStoreKey', () => {
  it('R-13: orders by PartitionKey, then RowKey, both by UTF-16 units', () => {
    const key = fc.string({ unit: 'grapheme' }).filter((text) => !/\p{Cc}/u.test(text))
    fc.assert(
      fc.property(key, key, key, key, (p1, r1, p2, r2) => {
        const isBefore = p1 < p2 || (p1 === p2 && r1 < r2)
        expect(printStoreKey(p1, r1) < printStoreKey(p2, r2)).toBe(isBefore)
      }),
    )
  })
})

describe('rangeOf', () => {
  it('returns one row for a filter on both keys', () => {
    const filter = "PartitionKey eq 'a' and RowKey eq 'b'"
    expect(holds(filter, 'a', 'b')).toBe(true)
    expect(holds(filter, 'a', 'b!')).toBe(false)
    expect(holds(filter, 'a', 'a')).toBe(false)
  })

  it('returns one partition for a filter on PartitionKey', () => {
    expect(holds("PartitionKey eq 'a'", 'a', '\uffff')).toBe(true)
    expect(holds("PartitionKey eq 'a'", 'a ', '')).toBe(false)
    expect(holds("PartitionKey eq 'a'", '', 'a')).toBe(false)
  })

  it.each([
    ["PartitionKey gt 'a'", [false, true, true]],
    ["PartitionKey ge 'a'", [true, true, true]],
    ["PartitionKey lt 'a '", [true, false, false]],
    ["PartitionKey le 'a '", [true, true, false]],
    ["PartitionKey eq 'a' and RowKey gt 'r'", [false, false, false]],
    ["not (PartitionKey eq 'a')", [true, true, true]],
  ])('contains of the partitions a, "a " and b what %s needs', (filter, expected) => {
    expect(['a', 'a ', 'b'].map((partitionKey) => holds(filter, partitionKey, ''))).toEqual(
      expected,
    )
  })

  it('never leaves out a matching row, whatever text the filter compares with', () => {
    const stored = fc.string({ unit: fc.constantFrom(' ', 'a', 'b', '\uffff'), maxLength: 3 })
    const asked = fc.string({
      unit: fc.constantFrom('\0', '\u0001', '\u0002', ' ', 'a', 'b', '\uffff'),
      maxLength: 3,
    })
    const operator = fc.constantFrom('lt', 'le', 'gt', 'ge', 'eq')
    const admits = (value: string, op: string, text: string) =>
      ({ lt: value < text, le: value <= text, gt: value > text, ge: value >= text })[op] ??
      value === text
    fc.assert(
      fc.property(stored, stored, operator, asked, operator, asked, (pk, rk, op1, a1, op2, a2) => {
        const filter = `PartitionKey ${op1} '${a1}' and RowKey ${op2} '${a2}'`
        const isAdmitted = admits(pk, op1, a1) && admits(rk, op2, a2)
        expect(!isAdmitted || holds(filter, pk, rk)).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('rangeFrom', () => {
  it('begins later, never earlier', () => {
    expect(rangeFrom(EVERYTHING, 'x')).toEqual({ low: 'x' })
    expect(rangeFrom({ low: 'y', high: 'z' }, 'x')).toEqual({ low: 'y', high: 'z' })
  })
})

describe('rangeBetween', () => {
  const key = fc.stringMatching(/^[ab ]{0,2}$/)
  const end = fc.oneof(
    fc.constant<KeyEnd>({ partitionKey: undefined, rowKey: undefined }),
    fc.record<KeyEnd>({ partitionKey: key, rowKey: fc.option(key, { nil: undefined }) }),
  )
  /** The rule of the reference, one comparison after the other. */
  const isBetween = (first: KeyEnd, last: KeyEnd, partitionKey: string, rowKey: string) => {
    const isAfter =
      first.partitionKey === undefined ||
      partitionKey > first.partitionKey ||
      (partitionKey === first.partitionKey && rowKey >= (first.rowKey ?? ''))
    const isBefore =
      last.partitionKey === undefined ||
      partitionKey < last.partitionKey ||
      (partitionKey === last.partitionKey && (last.rowKey === undefined || rowKey <= last.rowKey))
    return isAfter && isBefore
  }

  it('R-69: contains the rows from one end to the other, inclusive', () => {
    fc.assert(
      fc.property(end, end, key, key, (first, last, partitionKey, rowKey) => {
        const held = holdsKey(rangeBetween(first, last), { partitionKey, rowKey })
        expect(held).toBe(isBetween(first, last, partitionKey, rowKey))
      }),
      { numRuns: 1000 },
    )
  })

  it('accepts an end that cannot be a key', () => {
    const at = (partitionKey: string) => ({ partitionKey, rowKey: undefined })
    const range = rangeBetween(at('a\u0000b'), at('b\u0000b'))
    const holds = (partitionKey: string) => holdsKey(range, { partitionKey, rowKey: 'x' })
    expect(['a', 'a ', 'b', 'b '].map(holds)).toEqual([false, true, true, false])
  })
})

describe('intersection', () => {
  it('contains the rows of both ranges', () => {
    const text = fc.stringMatching(/^[ab]{0,3}$/)
    const range = fc.record({ low: text, high: fc.option(text, { nil: undefined }) })
    fc.assert(
      fc.property(range, range, text, text, (a, b, partitionKey, rowKey) => {
        const one = { partitionKey, rowKey }
        const both = holdsKey(a, one) && holdsKey(b, one)
        expect(holdsKey(intersection(a, b), one)).toBe(both)
      }),
      { numRuns: 1000 },
    )
  })
})
