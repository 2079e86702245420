import {
  EntityProperty,
  FilterSyntaxError,
  literalOf,
  PropertyNameError,
  PropertyValueError,
  printFilter,
} from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { filterTexts } from '../../vectors/filter-texts.ts'

const handMade = (property: unknown, operator: unknown, literal: unknown) => () =>
  printFilter({ kind: 'comparison', property, operator, literal } as never)

describe('printFilter', () => {
  it.each(filterTexts)('R-29: prints $text', ({ text, tree, printed }) => {
    expect(printFilter(tree)).toBe(printed ?? text)
  })

  it('prints hand-made trees of one operand or none for what they mean', () => {
    const operand = { kind: 'property', property: 'A' } as const
    expect(printFilter({ kind: 'and', operands: [] })).toBe('true')
    expect(printFilter({ kind: 'or', operands: [] })).toBe('false')
    expect(printFilter({ kind: 'or', operands: [operand] })).toBe('A')
  })

  it('lets no hand-made literal break out of its quotes', () => {
    const guid = { type: 'Guid', value: "' or true or X eq '" }
    const number = { type: 'Int32', value: '1 or true' }
    expect(handMade('A', 'eq', guid)).toThrow(PropertyValueError)
    expect(handMade('A', 'eq', number)).toThrow(PropertyValueError)
    expect(handMade('A', 'eq', literalOf("' or true or '"))()).toBe("A eq ''' or true or '''")
  })

  it('lets no hand-made name or operator say more than it should', () => {
    expect(handMade('true or A', 'eq', literalOf(1))).toThrow(PropertyNameError)
    expect(handMade('not', 'eq', literalOf(1))).toThrow(PropertyNameError)
    expect(handMade('A', 'eq 1 or A eq', literalOf(1))).toThrow(FilterSyntaxError)
    expect(() => printFilter({ kind: 'property', property: 'A or B' })).toThrow(PropertyNameError)
  })

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
  ])('refuses %o', (node) => {
    expect(() => printFilter(node as never)).toThrow(FilterSyntaxError)
  })
})
