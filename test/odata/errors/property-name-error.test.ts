import { InputError, PropertyNameError, RowkeyError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

describe('PropertyNameError', () => {
  it('says in its name, code and fields what was refused', () => {
    const cause = new TypeError('below')
    const error = new PropertyNameError({ message: 'why', cause, property: 'a-b' })
    expect(error).toBeInstanceOf(InputError)
    expect(error).toBeInstanceOf(RowkeyError)
    expect(error).toMatchObject({
      name: 'PropertyNameError',
      code: 'InvalidPropertyName',
      cause,
      property: 'a-b',
    })
    expect(String(error)).toBe('PropertyNameError: why')
  })
})
