import { isRowkeyError } from '@rowkey/odata'
import { TransportError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'

describe('TransportError', () => {
  it('keeps the socket’s error, and says whether something may have been applied', () => {
    const cause = new TypeError('reset')
    const error = new TransportError({ message: 'lost', mayHaveApplied: true, cause })
    expect(isRowkeyError(error)).toBe(true)
    expect(error).toMatchObject({
      name: 'TransportError',
      code: 'TransportFailed',
      mayHaveApplied: true,
      attempts: 1,
      cause,
    })
  })
})
