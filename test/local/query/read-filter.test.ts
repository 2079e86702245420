import { describe, expect, it } from 'vitest'
import { readFilter } from '../../../packages/local/src/query/read-filter.ts'

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
