import { EncryptionRequiredError } from '@rowkey/mapper'
import { InputError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

describe('EncryptionRequiredError', () => {
  it('is an InputError with a code of its own, and may be about a property', () => {
    const error = new EncryptionRequiredError({ message: 'No.', property: 'ssn' })
    expect(error).toMatchObject({
      name: 'EncryptionRequiredError',
      code: 'EncryptionRequired',
      property: 'ssn',
    })
    expect(error).toBeInstanceOf(InputError)
  })
})
