import { AbortError, TransportError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'

describe('AbortError', () => {
  it('has the name of the platform, and the reason of the signal as its cause', () => {
    const error = new AbortError({ reason: 'enough', mayHaveApplied: false })
    expect(error).toMatchObject({ name: 'AbortError', code: 'Aborted', cause: 'enough' })
    expect(error).not.toBeInstanceOf(TransportError)
  })

  it.each([
    [true, /may have been applied/],
    [false, /Nothing was changed/],
  ])('says what became of the request: %s', (mayHaveApplied, says) => {
    const error = new AbortError({ reason: undefined, mayHaveApplied })
    expect(error.mayHaveApplied).toBe(mayHaveApplied)
    expect(error.message).toMatch(says)
  })
})
