import { InputError, RowkeyError } from '@rowkey/odata'
import { CredentialUnavailableError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'

describe('CredentialUnavailableError', () => {
  it('says that nothing was sent, and is not about bad input', () => {
    const cause = new Error('no network')
    const error = new CredentialUnavailableError({ message: 'no', cause })
    expect(error).toBeInstanceOf(RowkeyError)
    expect(error).not.toBeInstanceOf(InputError)
    expect(error).toMatchObject({
      name: 'CredentialUnavailableError',
      code: 'CredentialUnavailable',
      mayHaveApplied: false,
      cause,
    })
  })
})
