import { FilterSyntaxError, parseFilter, printFilter } from '@rowkey/odata'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FilterParser } from '../../../packages/odata/src/filter/parse-filter.ts'
import { filterTexts, invalidFilterTexts } from '../../vectors/filter-texts.ts'
import { arbitraryFilter } from '../arbitrary-filters.ts'
import { isSameTree } from '../same-tree.ts'

/** Returns what a function throws. */
function errorOf(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    return error
  }
  return undefined
}

describe('parseFilter', () => {
  it.each(filterTexts)('reads $text', ({ text, tree }) => {
    expect(parseFilter(text)).toEqual(tree)
  })

  it.each(invalidFilterTexts)('rejects $text', ({ text, position, says }) => {
    const error = errorOf(() => parseFilter(text))
    expect(error).toBeInstanceOf(FilterSyntaxError)
    expect(error).toMatchObject({ position, message: expect.stringMatching(says) })
  })

  it.each(['', ' ', '\t\r\n'])('returns undefined for %j', (text) => {
    expect(parseFilter(text)).toBeUndefined()
  })

  it('reads every printed tree', () => {
    fc.assert(
      fc.property(arbitraryFilter, (tree) => {
        const read = parseFilter(printFilter(tree))
        // `toEqual` is slow, but shows the difference.
        if (!isSameTree(read, tree)) expect(read).toEqual(tree)
        expect(isSameTree(read, tree)).toBe(true)
      }),
      { numRuns: 5_000 },
    )
  })

  it('throws only a FilterSyntaxError for any text', () => {
    const pieces = [
      '(',
      ')',
      "'",
      'a',
      ' ',
      'eq',
      'and',
      'not ',
      '5',
      'L',
      '.',
      '-',
      "X'",
      'INF',
      'é',
      '😀',
    ]
    const texts = fc
      .array(fc.constantFrom(...pieces), { maxLength: 14 })
      .map((list) => list.join(''))
    fc.assert(
      fc.property(fc.oneof(texts, fc.string()), (text) => {
        const error = errorOf(() => parseFilter(text))
        expect(error === undefined || error instanceof FilterSyntaxError).toBe(true)
      }),
      { numRuns: 5_000 },
    )
  })

  it('accepts 64 levels of nesting, and rejects 65', () => {
    const nested = (levels: number) => `${'('.repeat(levels)}A eq 1${')'.repeat(levels)}`
    expect(parseFilter(nested(64))).toEqual(parseFilter('A eq 1'))
    expect(() => parseFilter(nested(65))).toThrow('at most 64 levels deep')
    expect(() => parseFilter(nested(50_000))).toThrow(FilterSyntaxError)
    expect(() => parseFilter(`${'not '.repeat(65)}A`)).toThrow(FilterSyntaxError)
  })

  it('counts the open levels only', () => {
    const text = Array.from({ length: 100 }, () => '(A eq 1)').join(' and ')
    expect(parseFilter(text)).toMatchObject({ kind: 'and', operands: { length: 100 } })
  })

  it('reads chains of any length', () => {
    const text = Array.from({ length: 20_000 }, () => 'A').join(' or ')
    expect(parseFilter(text)).toMatchObject({ kind: 'or', operands: { length: 20_000 } })
  })

  it('freezes the tree', () => {
    const tree = parseFilter('A eq 1 and not (B)')
    if (tree?.kind !== 'and') throw new TypeError('not a conjunction')
    for (const part of [tree, tree.operands, ...tree.operands])
      expect(Object.isFrozen(part)).toBe(true)
  })

  it('shows the text around the error in a long text', () => {
    const long = `${'A eq 1 and '.repeat(200)}!`
    expect(() => parseFilter(long)).toThrow(
      /^Syntax error at position 2200 in '.{60}': expected an operand or an operator\.$/,
    )
  })
})

describe('FilterParser', () => {
  it('binds not tighter than and, and and tighter than or', () => {
    const tree = new FilterParser('A or not B and C').parse()
    expect(tree).toMatchObject({
      kind: 'or',
      operands: [
        { property: 'A' },
        { kind: 'and', operands: [{ kind: 'not' }, { property: 'C' }] },
      ],
    })
  })

  it('keeps a group of the same operator', () => {
    expect(new FilterParser('(A and B) and C').parse()).toMatchObject({ operands: { length: 2 } })
    expect(new FilterParser('A and B and C').parse()).toMatchObject({ operands: { length: 3 } })
  })
})
