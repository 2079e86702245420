import { AttemptTimeoutError, TransportError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'

describe('AttemptTimeoutError', () => {
  it('is a TransportError with a name and a code of its own', () => {
    const error = new AttemptTimeoutError({ message: 'late', mayHaveApplied: true })
    expect(error).toBeInstanceOf(TransportError)
    expect(error).toMatchObject({
      name: 'AttemptTimeoutError',
      code: 'AttemptTimeout',
      mayHaveApplied: true,
    })
  })
})
