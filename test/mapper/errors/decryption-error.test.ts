import { DecryptionError } from '@rowkey/mapper'
import { InputError, isRowkeyError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

describe('DecryptionError', () => {
  it('says which property, why, and under which key', () => {
    const error = new DecryptionError({
      message: 'No.',
      property: 'Customer.ssn',
      reason: 'tampered',
      keyId: 'k1',
    })
    expect(error).toMatchObject({
      name: 'DecryptionError',
      code: 'DecryptionFailed',
      property: 'Customer.ssn',
      reason: 'tampered',
      keyId: 'k1',
    })
    expect(isRowkeyError(error)).toBe(true)
  })

  it('is about what is stored, and not about what was given', () => {
    const error = new DecryptionError({ message: '', property: 'C.p', reason: 'plaintext' })
    expect(error).not.toBeInstanceOf(InputError)
    expect(error.keyId).toBeUndefined()
  })
})
