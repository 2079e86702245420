import { beginsOtherwise, beginsWith, evaluateFilter, prefixEnd, printFilter } from '@rowkey/odata'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText } from '../../support/any-text.ts'

describe('beginsWith and beginsOtherwise', () => {
  it('bound the texts that begin with one, and all others', () => {
    expect(printFilter(beginsWith('RowKey', '0002_'))).toBe(
      "RowKey ge '0002_' and RowKey lt '0002`'",
    )
    expect(printFilter(beginsOtherwise('RowKey', '0002_'))).toBe(
      "RowKey lt '0002_' or RowKey ge '0002`'",
    )
  })

  it('have one bound where no text sorts after', () => {
    expect(printFilter(beginsWith('RowKey', '\u{ffff}'))).toBe("RowKey ge '\u{ffff}'")
    expect(printFilter(beginsOtherwise('RowKey', '\u{ffff}'))).toBe("RowKey lt '\u{ffff}'")
  })

  it("are each other's opposite", () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', '\u{d7ff}', '\u{10ffff}', '\u{ffff}'),
    })
    fc.assert(
      fc.property(text, text, (beginning, value) => {
        const isTrueOf = (filter: ReturnType<typeof beginsWith>) =>
          evaluateFilter(filter, () => ({ type: 'String', value }))
        expect(isTrueOf(beginsWith('RowKey', beginning))).toBe(value.startsWith(beginning))
        expect(isTrueOf(beginsOtherwise('RowKey', beginning))).toBe(!value.startsWith(beginning))
      }),
    )
  })
})

describe('prefixEnd', () => {
  it.each([
    ['Sm', 'Sn'],
    ['a.', 'a/'],
    ['z\u{7f}', 'z\u{80}'],
    ['a\u{d7ff}', 'a\u{10000}'],
    ['a\u{ffff}', 'b'],
    ['a\u{ffff}\u{ffff}', 'b'],
    ['\u{1f600}', '\u{1f601}'],
    ['\u{103ff}', '\u{10400}'],
    ['\u{10ffff}', '\u{e000}'],
    ['\u{d7ff}\u{ffff}', '\u{10000}'],
  ])('finds after %j the end %j', (prefix, end) => {
    expect(prefixEnd(prefix)).toBe(end)
  })

  it.each(['', '\u{ffff}', '\u{ffff}\u{ffff}'])('finds no end after %j', (prefix) => {
    expect(prefixEnd(prefix)).toBeUndefined()
  })

  // Few characters, all where the order of UTF-16 turns, so that prefixes are hit often.
  const edges = [
    '\u{0}',
    'a',
    'b',
    '\u{d7ff}',
    '\u{10000}',
    '\u{103ff}',
    '\u{10ffff}',
    '\u{e000}',
    '\u{ffff}',
  ]
  const character = fc.oneof(fc.constantFrom(...edges), anyText({ maxLength: 1 }))
  const text = fc.array(character, { maxLength: 4 }).map((characters) => characters.join(''))

  it('R-30: bounds exactly the strings that begin with the prefix', () => {
    fc.assert(
      fc.property(text, text, (prefix, other) => {
        const end = prefixEnd(prefix)
        const isInRange = other >= prefix && (end === undefined || other < end)
        expect(isInRange).toBe(other.startsWith(prefix))
      }),
      { numRuns: 5000 },
    )
  })

  it('finds an end that UTF-8 can carry', () => {
    fc.assert(
      fc.property(text, (prefix) => {
        const end = prefixEnd(prefix) ?? ''
        expect(Buffer.from(end, 'utf8').toString('utf8')).toBe(end)
      }),
    )
  })
})
