import { describe, expect, it } from 'vitest'
import { readFilter } from '../../../packages/local/src/paging/read-filter.ts'

const read = (filter: string) => readFilter(new Map([['$filter', filter]]))

describe('readFilter', () => {
  it('is no filter when there is none, or a blank one', () => {
    expect(readFilter(new Map())).toBeUndefined()
    expect(read('  ')).toBeUndefined()
  })

  it.each(["PartitionKey eq 'a'", 'not (anything eq 5)', 'flag', 'true', "TableName gt 'a'"])(
    'takes %s',
    (filter) => {
      expect(read(filter)).toBeDefined()
    },
  )

  it.each([
    ['aaa bbb ccc', 7],
    ['PartitionKey eq 5', 17],
    ['RowKey', 6],
    ['(a eq 1', 7],
    ['a eq null', 9],
  ])('says of %s at which token it fails, by where that ends', (filter, position) => {
    expect(() => read(filter)).toThrow(
      expect.objectContaining({
        status: 400,
        code: 'InvalidInput',
        message: `Syntax error at position ${position} in '${filter}'.`,
      }),
    )
  })
})
