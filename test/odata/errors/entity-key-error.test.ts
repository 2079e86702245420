import { EntityKeyError, InputError, RowkeyError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

describe('EntityKeyError', () => {
  it('says in its name, code and fields what was refused', () => {
    const cause = new TypeError('below')
    const error = new EntityKeyError({ message: 'why', cause, property: 'RowKey' })
    expect(error).toBeInstanceOf(InputError)
    expect(error).toBeInstanceOf(RowkeyError)
    expect(error).toMatchObject({
      name: 'EntityKeyError',
      code: 'InvalidEntityKey',
      cause,
      property: 'RowKey',
    })
    expect(String(error)).toBe('EntityKeyError: why')
  })
})
