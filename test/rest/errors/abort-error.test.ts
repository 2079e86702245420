import { AbortError, TransportError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'

describe('AbortError', () => {
  it("has the name of the platform's error, and the signal's reason as its cause", () => {
    const error = new AbortError({ reason: 'enough', mayHaveApplied: false })
    expect(error).toMatchObject({ name: 'AbortError', code: 'Aborted', cause: 'enough' })
    expect(error).not.toBeInstanceOf(TransportError)
  })

  it.each([
    [true, /may have been applied/],
    [false, /Nothing was changed/],
  ])('says whether the request may have been applied: %s', (mayHaveApplied, says) => {
    const error = new AbortError({ reason: undefined, mayHaveApplied })
    expect(error.mayHaveApplied).toBe(mayHaveApplied)
    expect(error.message).toMatch(says)
  })
})
