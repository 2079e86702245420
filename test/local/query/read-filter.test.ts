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

  it('rejects an invalid filter as the service does', () => {
    expect(() => read('aaa bbb ccc')).toThrow(
      expect.objectContaining({
        status: 400,
        code: 'InvalidInput',
        message: "Syntax error at position 7 in 'aaa bbb ccc'.",
      }),
    )
  })
})
