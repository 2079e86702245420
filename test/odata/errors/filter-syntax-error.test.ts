import { FilterSyntaxError, InputError, RowkeyError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

describe('FilterSyntaxError', () => {
  it('says in its name, code and fields what was refused', () => {
    const cause = new TypeError('below')
    const error = new FilterSyntaxError({ message: 'why', cause, position: 5 })
    expect(error).toBeInstanceOf(InputError)
    expect(error).toBeInstanceOf(RowkeyError)
    expect(error).toMatchObject({
      name: 'FilterSyntaxError',
      code: 'InvalidFilter',
      cause,
      position: 5,
    })
    expect(String(error)).toBe('FilterSyntaxError: why')
  })
})
