import { EntityProperty, FilterSyntaxError, literalOf, printFilter } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { invalidName, invalidValue } from '../../support/rejections.ts'
import { filterTexts } from '../../vectors/filter-texts.ts'

const handMade = (property: unknown, operator: unknown, literal: unknown) => () =>
  printFilter({ kind: 'comparison', property, operator, literal } as never)

describe('printFilter', () => {
  it.each(filterTexts)('R-29: prints $text', ({ text, tree, printed }) => {
    expect(printFilter(tree)).toBe(printed ?? text)
  })

  it('prints hand-made trees of one operand or none by their meaning', () => {
    const operand = { kind: 'property', property: 'A' } as const
    expect(printFilter({ kind: 'and', operands: [] })).toBe('true')
    expect(printFilter({ kind: 'or', operands: [] })).toBe('false')
    expect(printFilter({ kind: 'or', operands: [operand] })).toBe('A')
  })

  it('rejects a hand-made literal that could change the filter, and escapes quotes', () => {
    const guid = { type: 'Guid', value: "' or true or X eq '" }
    const number = { type: 'Int32', value: '1 or true' }
    expect(handMade('A', 'eq', guid)).toThrow(invalidValue)
    expect(handMade('A', 'eq', number)).toThrow(invalidValue)
    expect(handMade('A', 'eq', number)).toThrow(/^Property "A": a string of 9/)
    expect(handMade('A', 'eq', literalOf("' or true or '"))()).toBe("A eq ''' or true or '''")
  })

  it('rejects a hand-made name or operator that could change the filter', () => {
    expect(handMade('true or A', 'eq', literalOf(1))).toThrow(invalidName)
    expect(handMade('not', 'eq', literalOf(1))).toThrow(invalidName)
    expect(handMade('A', 'eq 1 or A eq', literalOf(1))).toThrow(FilterSyntaxError)
    expect(() => printFilter({ kind: 'property', property: 'A or B' })).toThrow(invalidName)
  })

  it.each([undefined, null, {}, { type: 'Decimal', value: 5 }])(
    'rejects the hand-made literal %o',
    (literal) => {
      expect(handMade('A', 'eq', literal)).toThrow(invalidValue)
    },
  )

  it.each([
    undefined,
    null,
    5,
    'A eq 1',
    {},
    { kind: 'xor' },
    { kind: 'not' },
    { kind: 'and', operands: [undefined] },
    EntityProperty.int32(1),
  ])('rejects %o', (node) => {
    expect(() => printFilter(node as never)).toThrow(FilterSyntaxError)
  })
})
