import { FilterSyntaxError, InputError, isRowkeyError, RowkeyError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

describe('InputError', () => {
  it('has a code and the place of the input', () => {
    const details = { property: 'age', type: 'Int32' }
    const error = new InputError({ code: 'InvalidPropertyValue', message: 'm', details })
    expect(error).toBeInstanceOf(RowkeyError)
    expect(isRowkeyError(error)).toBe(true)
    expect(error).toMatchObject({ name: 'InputError', code: 'InvalidPropertyValue', details })
  })

  it('has a code and empty details by default', () => {
    expect(new InputError({ message: 'm' })).toMatchObject({ code: 'InvalidInput', details: {} })
  })

  it('is the base of FilterSyntaxError', () => {
    expect(new FilterSyntaxError({ message: 'm', position: 0 })).toBeInstanceOf(InputError)
  })
})
