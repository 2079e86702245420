import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  droppedKey,
  policiesKey,
  propertiesKey,
  RECORDS,
  rowKey,
  rowRange,
  tableKey,
} from '../../../packages/local/src/durable/record-key.ts'
import { printStoreKey } from '../../../packages/local/src/keys/key-range.ts'

/**
 * Uses many characters that UTF-8 sorts differently from UTF-16, and no character that keys forbid.
 */
const keyText = fc
  .array(fc.constantFrom('', 'a', 'b', 'é', '\u{1f600}', '\ud800', '\ue000', '\uffff', ' ', '~'))
  .map((units) => units.join(''))
const entityKey = fc.tuple(keyText, keyText)
/** Compares keys like the engine: by their UTF-8 bytes. */
const compareKeys = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

function orderOf(a: readonly [string, string], b: readonly [string, string]): number {
  const at = a[0] === b[0] ? 1 : 0
  return a[at] < b[at] ? -1 : a[at] > b[at] ? 1 : 0
}

describe('rowKey', () => {
  it('R-13: sorts as PartitionKey and RowKey do by UTF-16 code units, and separates the two', () => {
    fc.assert(
      fc.property(entityKey, entityKey, (a, b) => {
        const [one, other] = [rowKey(7, printStoreKey(...a)), rowKey(7, printStoreKey(...b))]
        expect(compareKeys(one, other)).toBe(orderOf(a, b))
      }),
      { numRuns: 2_000 },
    )
  })

  it('sorts an emoji before U+FFFF, unlike the bytes of UTF-8', () => {
    const keyOf = (text: string) => rowKey(1, printStoreKey(text, ''))
    expect(compareKeys(keyOf('\u{1f600}'), keyOf('\uffff'))).toBe(-1)
    expect(compareKeys('\u{1f600}', '\uffff')).toBe(1)
  })

  it('separates the rows of one table from those of the next', () => {
    fc.assert(
      fc.property(fc.nat(0xffff_fffd), entityKey, (table, key) => {
        const { low, high } = rowRange(table, { low: '' })
        const row = rowKey(table, printStoreKey(...key))
        const next = rowKey(table + 1, printStoreKey(...key))
        expect(compareKeys(low, row)).toBeLessThanOrEqual(0)
        expect(compareKeys(row, high)).toBe(-1)
        expect(compareKeys(next, high)).toBeGreaterThanOrEqual(0)
      }),
    )
  })
})

describe('the keys of descriptions', () => {
  it.each([
    ['tables', RECORDS.tables, tableKey('contoso', 'people')],
    ['policies', RECORDS.policies, policiesKey(5)],
    ['properties', RECORDS.properties, propertiesKey('contoso')],
    ['dropped tables', RECORDS.dropped, droppedKey(5)],
  ])('are found by their range: %s', (_kind, { low, high }, key) => {
    expect(compareKeys(low, key)).toBe(-1)
    expect(compareKeys(key, high)).toBe(-1)
  })
})
