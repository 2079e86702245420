import { evaluateFilter, printFilter } from '@rowkey/odata'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { KeySpan } from '../../../packages/query/src/key/key-span.ts'

const key = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 3 })
const side = fc.constantFrom('gt', 'ge', 'lt', 'le')
const span = fc.oneof(
  key.map((each) => KeySpan.of(each)),
  key.map((each) => KeySpan.startingWith(each)),
  fc
    .tuple(key, fc.boolean(), fc.option(key, { nil: undefined }), fc.boolean())
    .map(([low, atLow, high, atHigh]) => new KeySpan([low, atLow], [high, atHigh])),
)

const holds = (each: KeySpan, value: string) =>
  evaluateFilter(each.filter('RowKey'), () => ({ type: 'String', value }))

describe('key spans', () => {
  it('overlap in the keys that are in both', () => {
    fc.assert(
      fc.property(span, span, key, (one, other, value) => {
        expect(holds(one.and(other), value)).toBe(holds(one, value) && holds(other, value))
      }),
    )
  })

  it('are beside a text, and count keys that begin with it as equal unless it is a whole key', () => {
    fc.assert(
      fc.property(side, key, key, fc.boolean(), (operator, text, value, isWhole) => {
        const isEqual = isWhole ? value === text : value.startsWith(text)
        const isGreater = value > text && !isEqual
        const expected = {
          gt: isGreater,
          ge: isGreater || isEqual,
          lt: !isGreater && !isEqual,
          le: !isGreater,
        }
        // Nothing sorts after the keys that begin with the empty text.
        fc.pre(text !== '' || isWhole)
        expect(holds(KeySpan.beside(operator, text, isWhole), value)).toBe(expected[operator])
      }),
    )
  })

  it('have the shortest filter', () => {
    expect(printFilter(KeySpan.of('a').filter('RowKey'))).toBe("RowKey eq 'a'")
    expect(printFilter(KeySpan.startingWith('a').filter('PartitionKey'))).toBe(
      "PartitionKey ge 'a' and PartitionKey lt 'b'",
    )
    expect(printFilter(KeySpan.all.filter('RowKey'))).toBe('true')
    const notEmpty = new KeySpan(['', false], [undefined, true])
    expect(printFilter(notEmpty.filter('RowKey'))).toBe("RowKey gt ''")
  })
})
