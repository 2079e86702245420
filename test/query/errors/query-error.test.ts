import { InputError, isRowkeyError } from '@rowkey/odata'
import { QueryError } from '@rowkey/query'
import { describe, expect, it } from 'vitest'

describe('QueryError', () => {
  it('is an InputError with a literal name and code', () => {
    const error = new QueryError({ message: 'no', model: 'Customer', property: 'age' })
    expect(error).toBeInstanceOf(InputError)
    expect(isRowkeyError(error)).toBe(true)
    expect(error).toMatchObject({
      name: 'QueryError',
      code: 'InvalidQuery',
      message: 'no',
      model: 'Customer',
      property: 'age',
    })
  })

  it('need not be about a property', () => {
    expect(new QueryError({ message: 'no' })).toMatchObject({
      model: undefined,
      property: undefined,
    })
  })
})
