import { keyBounds, parseFilter } from '@rowkey/odata'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  EVERYTHING,
  printStoreKey,
  rangeFrom,
  rangeOf,
} from '../../../packages/local/src/store/key-range.ts'

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
  it('is one row for a filter on both keys', () => {
    const filter = "PartitionKey eq 'a' and RowKey eq 'b'"
    expect(holds(filter, 'a', 'b')).toBe(true)
    expect(holds(filter, 'a', 'b!')).toBe(false)
    expect(holds(filter, 'a', 'a')).toBe(false)
  })

  it('is one partition for a filter on PartitionKey', () => {
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
  ])('holds of the partitions a, "a " and b what %s needs', (filter, expected) => {
    expect(['a', 'a ', 'b'].map((partitionKey) => holds(filter, partitionKey, ''))).toEqual(
      expected,
    )
  })

  it('never leaves out a row that a comparison admits, whatever text it compares with', () => {
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
