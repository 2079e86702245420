import { evaluateFilter, printFilter } from '@rowkey/odata'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  everyKey,
  exactly,
  type KeySpan,
  overlapOf,
  spanFilter,
  startingWith,
} from '../../../packages/query/src/key/key-span.ts'

const key = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 3 })
const span = fc.oneof(
  key.map(exactly),
  key.map(startingWith),
  fc.record<KeySpan>({
    low: key,
    lowInclusive: fc.boolean(),
    high: fc.option(key, { nil: undefined }),
    highInclusive: fc.boolean(),
  }),
)

const holds = (each: KeySpan, value: string) =>
  evaluateFilter(spanFilter('RowKey', each), () => ({ type: 'String', value }))

describe('key spans', () => {
  it('overlap in the keys that are in both', () => {
    fc.assert(
      fc.property(span, span, key, (one, other, value) => {
        expect(holds(overlapOf(one, other), value)).toBe(holds(one, value) && holds(other, value))
      }),
    )
  })

  it('have the shortest filter', () => {
    expect(printFilter(spanFilter('RowKey', exactly('a')))).toBe("RowKey eq 'a'")
    expect(printFilter(spanFilter('PartitionKey', startingWith('a')))).toBe(
      "PartitionKey ge 'a' and PartitionKey lt 'b'",
    )
    expect(printFilter(spanFilter('RowKey', everyKey))).toBe('true')
    expect(printFilter(spanFilter('RowKey', { ...everyKey, lowInclusive: false }))).toBe(
      "RowKey gt ''",
    )
  })
})
