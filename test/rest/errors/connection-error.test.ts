import { ConnectionError, TransportError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'

describe('ConnectionError', () => {
  it('is a TransportError after which nothing can have been applied', () => {
    const error = new ConnectionError({ message: 'refused', failure: 'refused' })
    expect(error).toBeInstanceOf(TransportError)
    expect(error).toMatchObject({
      name: 'ConnectionError',
      code: 'ConnectionFailed',
      failure: 'refused',
      mayHaveApplied: false,
    })
  })
})
