import { ChangedKeyError } from '@rowkey/mapper'
import { InputError, isRowkeyError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

describe('ChangedKeyError', () => {
  it('is an InputError with a code of its own', () => {
    const error = new ChangedKeyError({ message: 'No.' })
    expect(error).toMatchObject({ name: 'ChangedKeyError', code: 'ChangedKey', message: 'No.' })
    expect(error).toBeInstanceOf(InputError)
    expect(isRowkeyError(error)).toBe(true)
  })
})
