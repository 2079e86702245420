import { InputError } from '@rowkey/odata'
import { UnsupportedOperationError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'

describe('UnsupportedOperationError', () => {
  it('is an InputError with a name and a code of its own', () => {
    const error = new UnsupportedOperationError({ message: 'no' })
    expect(error).toBeInstanceOf(InputError)
    expect(error).toMatchObject({
      name: 'UnsupportedOperationError',
      code: 'UnsupportedOperation',
      message: 'no',
    })
  })
})
