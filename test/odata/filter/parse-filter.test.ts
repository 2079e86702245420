import { FilterSyntaxError, parseFilter, printFilter } from '@rowkey/odata'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { filterTexts, refusedFilterTexts } from '../../vectors/filter-texts.ts'
import { arbitraryFilter } from '../arbitrary-filters.ts'
import { isSameTree } from '../same-tree.ts'

/** Whatever {@link run} throws. */
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

  it.each(refusedFilterTexts)('refuses $text', ({ text, position, says }) => {
    const error = errorOf(() => parseFilter(text))
    expect(error).toBeInstanceOf(FilterSyntaxError)
    expect(error).toMatchObject({ position, message: expect.stringMatching(says) })
  })

  it.each(['', ' ', '\t\r\n'])('finds no filter in %j', (text) => {
    expect(parseFilter(text)).toBeUndefined()
  })

  it('gives back every tree that was printed', () => {
    fc.assert(
      fc.property(arbitraryFilter, (tree) => {
        const read = parseFilter(printFilter(tree))
        // The matcher is slow, and shows the difference when there is one.
        if (!isSameTree(read, tree)) expect(read).toEqual(tree)
        expect(isSameTree(read, tree)).toBe(true)
      }),
      { numRuns: 5_000 },
    )
  })

  it('reads or refuses any text, and fails in no other way', () => {
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

  it('goes 64 levels deep, and no deeper', () => {
    const nested = (levels: number) => `${'('.repeat(levels)}A eq 1${')'.repeat(levels)}`
    expect(parseFilter(nested(64))).toEqual(parseFilter('A eq 1'))
    expect(() => parseFilter(nested(65))).toThrow('at most 64 levels deep')
    expect(() => parseFilter(nested(50_000))).toThrow(FilterSyntaxError)
    expect(() => parseFilter(`${'not '.repeat(65)}A`)).toThrow(FilterSyntaxError)
  })

  it('counts levels where they are open, not where they were', () => {
    const text = Array.from({ length: 100 }, () => '(A eq 1)').join(' and ')
    expect(parseFilter(text)).toMatchObject({ kind: 'and', operands: { length: 100 } })
  })

  it('reads chains of any length', () => {
    const text = Array.from({ length: 20_000 }, () => 'A').join(' or ')
    expect(parseFilter(text)).toMatchObject({ kind: 'or', operands: { length: 20_000 } })
  })

  it('freezes what it reads', () => {
    const tree = parseFilter('A eq 1 and not (B)')
    if (tree?.kind !== 'and') throw new TypeError('not a conjunction')
    for (const part of [tree, tree.operands, ...tree.operands])
      expect(Object.isFrozen(part)).toBe(true)
  })

  it('shows the neighbourhood of the fault in a long text', () => {
    const long = `${'A eq 1 and '.repeat(200)}!`
    expect(() => parseFilter(long)).toThrow(/^Syntax error at position 2200 in '.{60}': no operand/)
  })
})
