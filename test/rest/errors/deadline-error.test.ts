import { isRowkeyError } from '@rowkey/odata'
import { DeadlineError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'

describe('DeadlineError', () => {
  it('has a name, a code, mayHaveApplied, and the last error as its cause', () => {
    const cause = new TypeError('lost')
    const error = new DeadlineError({ message: 'Late.', mayHaveApplied: true, attempts: 2, cause })
    expect(error).toMatchObject({
      name: 'DeadlineError',
      code: 'DeadlineExceeded',
      message: 'Late.',
      mayHaveApplied: true,
      attempts: 2,
      cause,
    })
    expect(isRowkeyError(error)).toBe(true)
  })
})
