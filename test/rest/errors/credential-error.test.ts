import { InputError } from '@rowkey/odata'
import { CredentialError, SasCredential } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'

describe('CredentialError', () => {
  it('is an InputError with a name and a code of its own', () => {
    expect(() => new SasCredential('not a SAS')).toThrow(CredentialError)
    expect(() => new SasCredential('not a SAS')).toThrow(InputError)
    expect(() => new SasCredential('not a SAS')).toThrow(
      expect.objectContaining({ name: 'CredentialError', code: 'InvalidCredential' }),
    )
  })
})
