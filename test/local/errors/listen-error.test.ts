import { ListenError } from '@rowkey/local'
import { describe, expect, it } from 'vitest'

describe('ListenError', () => {
  it('names the address, why it cannot be had, and the way out', () => {
    const cause = new RangeError('address in use')
    const error = new ListenError({ host: '127.0.0.1', port: 10_002, cause })
    expect(error).toMatchObject({
      name: 'ListenError',
      code: 'ListenFailed',
      host: '127.0.0.1',
      port: 10_002,
      cause,
    })
    expect(error.message).toMatch(/127\.0\.0\.1:10002 \(address in use\).*port 0/)
  })
})
