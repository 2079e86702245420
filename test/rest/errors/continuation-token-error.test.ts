import { InputError } from '@rowkey/odata'
import { ContinuationTokenError, parseContinuationToken } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'

describe('ContinuationTokenError', () => {
  it('is an InputError with a name and a code of its own', () => {
    expect(() => parseContinuationToken('not a token')).toThrow(ContinuationTokenError)
    expect(() => parseContinuationToken('not a token')).toThrow(InputError)
    expect(() => parseContinuationToken('not a token')).toThrow(
      expect.objectContaining({ name: 'ContinuationTokenError', code: 'InvalidContinuationToken' }),
    )
  })
})
