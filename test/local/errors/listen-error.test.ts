import { ListenError } from '@rowkey/local'
import { describe, expect, it } from 'vitest'

describe('ListenError', () => {
  it('names the address, the cause, and what to do', () => {
    const cause = new RangeError('address in use')
    const error = new ListenError({ host: '127.0.0.1', port: 10_002, cause })
    expect(error).toMatchObject({
      name: 'ListenError',
      code: 'ListenFailed',
      host: '127.0.0.1',
      port: 10_002,
      cause,
    })
    expect(error.message).toMatch(/127\.0\.0\.1:10002 \(address in use\).*Port 0/)
  })

  it.each([
    ['EADDRINUSE', /Port 0 takes a free one/],
    ['EADDRNOTAVAIL', /address of this machine/],
    ['ENOTFOUND', /address of this machine/],
    ['EACCES', /1024 or higher/],
  ])('says what to do about %s', (code, advice) => {
    const cause = Object.assign(new RangeError('no'), { code })
    expect(new ListenError({ host: 'h', port: 1, cause }).message).toMatch(advice)
  })
})
