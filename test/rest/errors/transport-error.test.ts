import { InputError, isRowkeyError, RowkeyError } from '@rowkey/odata'
import { TransportError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'

describe('TransportError', () => {
  it('keeps the error of the socket, and says whether a write may have been applied', () => {
    const cause = new TypeError('reset')
    const error = new TransportError({ message: 'lost', mayHaveApplied: true, cause })
    expect(isRowkeyError(error)).toBe(true)
    expect(error).toMatchObject({
      name: 'TransportError',
      code: 'TransportFailed',
      mayHaveApplied: true,
      failure: undefined,
      attempts: 1,
      cause,
    })
  })

  it.each(['AttemptTimeout', 'ConnectionFailed', 'CredentialUnavailable'] as const)(
    'has the code %s, and is not an InputError',
    (code) => {
      const error = new TransportError({ code, message: 'no', mayHaveApplied: false })
      expect(error).toMatchObject({ name: 'TransportError', code, mayHaveApplied: false })
      expect(error).toBeInstanceOf(RowkeyError)
      expect(error).not.toBeInstanceOf(InputError)
    },
  )

  it('says why no connection came about', () => {
    const error = new TransportError({
      code: 'ConnectionFailed',
      message: 'refused',
      failure: 'refused',
      mayHaveApplied: false,
    })
    expect(error.failure).toBe('refused')
  })
})
