import { InputError, PropertyValueError, RowkeyError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

describe('PropertyValueError', () => {
  it('says in its name, code and fields what was refused', () => {
    const cause = new TypeError('below')
    const error = new PropertyValueError({ message: 'why', cause, property: 'age', type: 'Int32' })
    expect(error).toBeInstanceOf(InputError)
    expect(error).toBeInstanceOf(RowkeyError)
    expect(error).toMatchObject({
      name: 'PropertyValueError',
      code: 'InvalidPropertyValue',
      cause,
      property: 'age',
      type: 'Int32',
    })
    expect(String(error)).toBe('PropertyValueError: why')
  })
})
