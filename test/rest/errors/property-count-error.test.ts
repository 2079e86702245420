import { InputError } from '@rowkey/odata'
import { PropertyCountError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'

describe('PropertyCountError', () => {
  it('is an InputError that knows the number and the limit', () => {
    const error = new PropertyCountError({ message: 'no', count: 253, limit: 252 })
    expect(error).toBeInstanceOf(InputError)
    expect(error).toMatchObject({
      name: 'PropertyCountError',
      code: 'TooManyProperties',
      count: 253,
      limit: 252,
    })
  })
})
