import { FilterSyntaxError, parseFilter } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { filterRejection, readFilter } from '../../../packages/local/src/query/read-filter.ts'

const read = (filter: string) => readFilter(new Map([['$filter', filter]]))

describe('readFilter', () => {
  it('returns undefined without a filter, or for a blank one', () => {
    expect(readFilter(new Map())).toBeUndefined()
    expect(read('  ')).toBeUndefined()
  })

  it.each(["PartitionKey eq 'a'", 'not (anything eq 5)', 'flag', 'true', "TableName gt 'a'"])(
    'accepts %s',
    (filter) => {
      expect(read(filter)).toBeDefined()
    },
  )

  it.each(['a'.repeat(256), `${'a'.repeat(256)} eq 1`])(
    'rejects a property name of 256 characters',
    (filter) => {
      expect(() => read(filter)).toThrow(
        expect.objectContaining({ status: 400, code: 'InvalidInput' }),
      )
    },
  )

  it.each([
    ['aaa bbb ccc', "Syntax error at position 7 in 'aaa bbb ccc'."],
    ["p eq 1'text'", "Syntax error at position 12 in 'p eq 1'text''."],
    ['p eq 1 5', "Syntax error at position 8 in 'p eq 1 5'."],
    ['p eq null', 'One of the request inputs is not valid.'],
    [
      'p eq 5454161346626',
      "Unrecognized 'Edm.Int32' literal '5454161346626' at '5' in 'p eq 5454161346626'.",
    ],
  ])('rejects %j as the service does', (filter, message) => {
    expect(() => read(filter)).toThrow(
      expect.objectContaining({ status: 400, code: 'InvalidInput', message }),
    )
  })
})

function faultOf(text: string) {
  try {
    parseFilter(text)
  } catch (error) {
    if (error instanceof FilterSyntaxError) return filterRejection(text, error)
  }
  throw new TypeError(`${text} was taken`)
}

const binary = (left: string, right: string, kind: string) =>
  `A binary operator with incompatible types was detected. Found operand types '${left}' and '${right}' for operator kind '${kind}'.`

describe('filterRejection', () => {
  it.each([
    ['aaa bbb ccc', 7],
    ['RowKey', 6],
    ['(a eq 1', 7],
    ['I add 1 eq 2', 5],
    ["S == 'apple'", 4],
  ])('reports for %s the end of the token that fails', (filter, position) => {
    expect(faultOf(filter)).toMatchObject({
      status: 400,
      code: 'InvalidInput',
      message: `Syntax error at position ${position} in '${filter}'.`,
    })
  })

  it.each([
    ['PartitionKey eq 5', binary('Edm.String', 'Edm.Int32', 'Equal')],
    ['5L ne RowKey', binary('Edm.Int64', 'Edm.String', 'NotEqual')],
    ["Timestamp gt '2012'", binary('Edm.DateTime', 'Edm.String', 'GreaterThan')],
    [
      "datetime'2012-01-01T00:00:00Z' ge 1.5",
      binary('Edm.DateTime', 'Edm.Double', 'GreaterThanOrEqual'),
    ],
    ['RowKey lt true', binary('Edm.String', 'Edm.Boolean', 'LessThan')],
    ["RowKey le X'00'", binary('Edm.String', 'Edm.Binary', 'LessThanOrEqual')],
    [
      "guid'c9da6455-213d-42c9-9a79-3e9149a57833' eq RowKey",
      binary('Edm.Guid', 'Edm.String', 'Equal'),
    ],
    ['RowKey eq Timestamp', binary('Edm.String', 'Edm.DateTime', 'Equal')],
    ['RowKey eq (a eq 1)', binary('Edm.String', 'Edm.Boolean', 'Equal')],
    ["'a' and true", binary('Edm.String', 'Edm.Boolean', 'And')],
    ['a eq 1 or Timestamp', binary('Edm.Boolean', 'Edm.DateTime', 'Or')],
    ['5 and RowKey', binary('Edm.Int32', 'Edm.String', 'And')],
    ['a and b and 5', binary('Edm.Boolean', 'Edm.Int32', 'And')],
    ['a and 5', binary('<null>', 'Edm.Int32', 'And')],
    [
      'not (5)',
      "A unary operator with an incompatible type was detected. Found operand type 'Edm.Int32' for operator kind 'Not'.",
    ],
  ])('names the types of the operands that do not fit in %s', (filter, message) => {
    expect(faultOf(filter)).toMatchObject({ status: 400, code: 'InvalidInput', message })
  })

  it.each(["startswith(S,'a')", "substringof('a', S) eq true", 'year(T) eq 2012', 'a and trim(S)'])(
    'rejects the functions of OData, as in %s',
    (filter) => {
      expect(faultOf(filter)).toMatchObject({ status: 501, code: 'NotImplemented' })
    },
  )

  it('rejects unknown functions as syntax errors', () => {
    expect(faultOf('contains(S)')).toMatchObject({
      status: 400,
      message: "Syntax error at position 8 in 'contains(S)'.",
    })
  })
})
