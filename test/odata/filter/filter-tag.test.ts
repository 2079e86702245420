import {
  EntityProperty,
  FilterSyntaxError,
  filter,
  parseDateTime,
  parseFilter,
  printFilter,
} from '@rowkey/odata'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arbitraryProperty } from '../arbitrary-values.ts'

const GUID = 'c9da6455-213d-42c9-9a79-3e9149a57833'

/** Returns the error of an invalid template. */
function errorOf(run: () => unknown): FilterSyntaxError {
  try {
    run()
  } catch (error) {
    if (error instanceof FilterSyntaxError) return error
  }
  throw new TypeError('no FilterSyntaxError')
}

describe('filter', () => {
  it.each([
    ['a String', "O'Neil", "'O''Neil'"],
    ['an empty String', '', "''"],
    ['an Int32', 30, '30'],
    ['a Double', 0.5, '0.5'],
    ['a whole Double', EntityProperty.double(5), '5.0'],
    ['an Int64', 2n ** 53n + 1n, '9007199254740993L'],
    ['a Boolean', true, 'true'],
    [
      'a DateTime of seven digits',
      parseDateTime('2012-11-10T03:04:05.1234567Z'),
      "datetime'2012-11-10T03:04:05.1234567Z'",
    ],
    ['a Guid', EntityProperty.guid(GUID), `guid'${GUID}'`],
    ['bytes', Uint8Array.of(10, 11), "X'0a0b'"],
  ])('R-29: accepts %s', (_what, operand, literal) => {
    expect(printFilter(filter`x eq ${operand}`)).toBe(`x eq ${literal}`)
    expect(printFilter(filter`(${operand} ne x)and not(y)`)).toBe(`x ne ${literal} and not (y)`)
  })

  it('R-164: makes the same tree as the text', () => {
    const tree = filter`PartitionKey eq ${'Smith'} and (age gt ${30} or not active)`
    expect(tree).toEqual(parseFilter("PartitionKey eq 'Smith' and (age gt 30 or not active)"))
    expect(filter`age gt 30`).toEqual(parseFilter('age gt 30'))
  })

  it('uses an operand as a value only', () => {
    fc.assert(
      fc.property(arbitraryProperty, arbitraryProperty, (one, other) => {
        const tree = filter`a eq ${one} and (b lt ${other} or c)`
        expect(tree).toMatchObject({
          kind: 'and',
          operands: [
            { property: 'a', literal: { type: one.type, value: one.value } },
            {
              kind: 'or',
              operands: [{ property: 'b', literal: { type: other.type, value: other.value } }, {}],
            },
          ],
        })
        expect(parseFilter(printFilter(tree))).toEqual(tree)
      }),
      { numRuns: 500 },
    )
  })

  it.each<[string, () => unknown, number, RegExp]>([
    ['within quotes', () => filter`a eq '${'x'}'`, 5, /without the quotes around it/],
    ['within a string', () => filter`a eq 'b${'x'}'`, 5, /the string is not closed/],
    ['for an operator', () => filter`a ${'eq'} 1`, 2, /expected the end of the filter/],
    ['for a name', () => filter`${'a'} eq 1`, 0, /never a name/],
    [
      'for a name of a condition',
      () => filter`b and ${'a'}`,
      6,
      /expected a Boolean or a comparison/,
    ],
    ['against an operand', () => filter`${'a'} eq ${'a'}`, 0, /never a name/],
    ['after a name', () => filter`a${1}`, 1, /expected the end of the filter/],
    ['after a number', () => filter`a eq 1${1}`, 6, /expected the end of the filter/],
    ['after a prefix', () => filter`a eq guid${GUID}`, 5, /can only be compared with a constant/],
    [
      'as a condition',
      () => filter`a eq 1 and ${'b eq 2'}`,
      11,
      /expected a Boolean or a comparison/,
    ],
    [
      'of the wrong type',
      () => filter`PartitionKey eq ${5}`,
      16,
      /PartitionKey has the type String, but this constant has the type Int32/,
    ],
    [
      'that is null',
      () => filter`a eq ${null as never}`,
      5,
      /the operand is null, which is never stored/,
    ],
    [
      'that is undefined',
      () => filter`a eq ${undefined as never}`,
      5,
      /the operand is undefined, which is never stored/,
    ],
    [
      'that is an object',
      () => filter`a eq ${{} as never}`,
      5,
      /the operand is not an Edm value: An object cannot be stored/,
    ],
    [
      'that is an invalid Date',
      () => filter`a eq ${new Date(Number.NaN)}`,
      5,
      /the operand is not an Edm value: An invalid Date is not a valid DateTime/,
    ],
  ])('rejects an operand %s, with its position', (_where, run, position, says) => {
    const error = errorOf(run)
    expect(error.position).toBe(position)
    expect(error.message).toMatch(says)
  })

  it('reports the position in the text, and does not show the operands', () => {
    const error = errorOf(() => filter`a eq ${'secret'} und b eq ${'secret'}`)
    expect(error.position).toBe(10)
    expect(error.message).toMatch(/^Syntax error at position 10 in 'a eq .{4} und b eq .{4}'/)
    expect(error.message).not.toMatch(/secret/)
  })

  it('rejects a blank template', () => {
    expect(() => filter`  `).toThrow(FilterSyntaxError)
  })

  it.each<unknown>(['a eq 1', ['a eq 1'], undefined, null, 5, { raw: ['a eq 1'] }])(
    'rejects %o, which is not a template',
    (given) => {
      expect(() => filter(given as never)).toThrow(/^filter is a template tag: /)
    },
  )

  it('rejects a template with an invalid escape', () => {
    expect(() => filter`a eq '\u'`).toThrow(FilterSyntaxError)
  })
})
