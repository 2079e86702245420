import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { completeFilter } from '../../../packages/studio/page/complete-filter.ts'

const known = [
  { name: 'PartitionKey', types: ['String'] },
  { name: 'age', types: ['Int32'] },
  { name: 'agent', types: ['String', 'Guid'] },
  { name: 'cea', property: 'customerEmailAddress', types: ['String'] },
  { name: 'since', types: ['DateTime'] },
]

const texts = (before: string) => completeFilter(before, known).items.map(({ text }) => text)

describe('a filter is completed', () => {
  it.each([
    ['', ['PartitionKey', 'age', 'agent', 'cea', 'since', 'not']],
    ['ag', ['age', 'agent']],
    ['AGE', ['age', 'agent']],
    ['custom', ['cea']],
    ['key', ['PartitionKey']],
    ['age', ['agent']],
    ['(age', ['agent']],
    ['age ', ['eq', 'ne', 'gt', 'ge', 'lt', 'le']],
    ['age g', ['gt', 'ge']],
    ['age gt ', ['0']],
    ['agent eq ', ["''", "guid'00000000-0000-0000-0000-000000000000'"]],
    ['since ge date', ["datetime'2026-01-01T00:00:00Z'"]],
    ['age gt 3 ', ['and', 'or']],
    ['age gt 3 a', ['and']],
    ["cea eq 'a and b' ", ['and', 'or']],
    ['age gt 3 and si', ['since']],
    ['not ', ['PartitionKey', 'age', 'agent', 'cea', 'since']],
    ["cea eq 'ag", []],
    ["cea eq 'it''s ag", []],
  ])('after "%s" by %j', (before, expected) => {
    expect(texts(before)).toEqual(expected)
  })

  it('names the types, and the property of a model', () => {
    const [item] = completeFilter('cea', [
      { name: 'cea2', property: 'email', types: ['String'] },
    ]).items
    expect(item).toEqual({ text: 'cea2', hint: 'email · String' })
  })

  it('replaces the word before the caret', () => {
    expect(completeFilter("PartitionKey eq 'a' and ag", known).from).toBe(24)
  })

  it('takes any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(completeFilter(text, known).from).toBeLessThanOrEqual(text.length)
      }),
    )
  })
})
