import {
  booleanProperty,
  FilterSyntaxError,
  literalOf,
  not,
  parseFilter,
  printFilter,
} from '@rowkey/odata'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type FilterOperand,
  FilterParser,
  toComparison,
  toCondition,
  toConditions,
  typeOf,
} from '../../../packages/odata/src/filter/parse-filter.ts'
import { longTest } from '../../support/cases-to-play.ts'
import { filterTexts, invalidFilterTexts } from '../../vectors/filter-texts.ts'
import { arbitraryFilter } from '../arbitrary-filters.ts'
import { isSameTree } from '../same-tree.ts'

const TEXT = '0123456789'
const property: FilterOperand = { kind: 'property', property: 'A', position: 1 }
const key: FilterOperand = { kind: 'property', property: 'RowKey', position: 1 }
const five: FilterOperand = { kind: 'literal', literal: literalOf(5), position: 2 }
const yes: FilterOperand = { kind: 'literal', literal: literalOf(true), position: 2 }
const condition: FilterOperand = { kind: 'condition', node: not(booleanProperty('B')), position: 3 }

describe('toCondition', () => {
  it('accepts a Boolean, and a property that may be one', () => {
    expect(toCondition(TEXT, condition)).toBe(condition.node)
    expect(toCondition(TEXT, property)).toEqual(booleanProperty('A'))
    expect(toCondition(TEXT, yes)).toEqual({ kind: 'constant', value: true })
  })

  it('rejects an operand that cannot be Boolean', () => {
    expect(() => toCondition(TEXT, five)).toThrow(FilterSyntaxError)
    expect(() => toCondition(TEXT, key)).toThrow(FilterSyntaxError)
  })
})

describe('typeOf', () => {
  it('returns the type of constants, conditions and system properties', () => {
    const types = [five, condition, key, property].map(typeOf)
    expect(types).toEqual(['Int32', 'Boolean', 'String', undefined])
  })
})

describe('toConditions', () => {
  it('converts each operand', () => {
    expect(toConditions(TEXT, 'and', [condition, yes])).toHaveLength(2)
  })

  it('reports the types on both sides of the operator', () => {
    const reported = (...types: readonly unknown[]) =>
      expect.objectContaining({ operands: { operator: 'or', types } })
    expect(() => toConditions(TEXT, 'or', [five, key])).toThrow(reported('Int32', 'String'))
    expect(() => toConditions(TEXT, 'or', [property, key])).toThrow(reported(undefined, 'String'))
    expect(() => toConditions(TEXT, 'or', [property, yes, five])).toThrow(
      reported('Boolean', 'Int32'),
    )
  })
})

describe('toComparison', () => {
  it('puts the property on the left', () => {
    const left = toComparison(TEXT, property, 'gt', five)
    expect(toComparison(TEXT, five, 'lt', property)).toEqual(left)
  })

  it('reports the position of the wrong side', () => {
    const at = (position: number) => expect.objectContaining({ position })
    expect(() => toComparison(TEXT, property, 'eq', condition)).toThrow(at(3))
    expect(() => toComparison(TEXT, condition, 'eq', five)).toThrow(at(3))
    expect(() => toComparison(TEXT, key, 'eq', five)).toThrow(at(2))
    expect(() => toComparison(TEXT, five, 'eq', yes)).toThrow(at(2))
  })

  it('reports the types from left to right when they cannot be compared', () => {
    const reported = (operands: unknown) => expect.objectContaining({ operands })
    const types = ['Int32', 'String']
    expect(() => toComparison(TEXT, five, 'lt', key)).toThrow(reported({ operator: 'lt', types }))
    expect(() => toComparison(TEXT, property, 'eq', condition)).toThrow(reported(undefined))
  })
})

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

  longTest('reads every printed tree', () => {
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

  it.each([undefined, null, 5, {}])('throws a FilterSyntaxError for %j', (text) => {
    expect(() => parseFilter(text as never)).toThrow(
      expect.objectContaining({ name: 'FilterSyntaxError', code: 'InvalidFilter', position: 0 }),
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
