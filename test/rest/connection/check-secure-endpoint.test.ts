import { endpointOf } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { checkSecureEndpoint } from '../../../packages/rest/src/connection/check-secure-endpoint.ts'

const at = (url: string) => endpointOf(url, { account: 'contoso' })

describe('checkSecureEndpoint', () => {
  it.each([
    'https://contoso.table.core.windows.net',
    'http://127.0.0.1:10002',
    'http://127.9.8.7',
    'http://localhost:80',
    'http://contoso.table.localhost:10002',
    'http://[::1]:10002',
  ])('lets %s pass', (url) => {
    expect(() => checkSecureEndpoint(at(url), false)).not.toThrow()
  })

  it.each([
    'http://contoso.table.core.windows.net',
    'http://10.0.0.1:10002',
    'http://localhost.evil.example',
    'http://127.0.0.1.evil.example',
    'http://[::2]',
  ])('refuses %s unless it is asked for', (url) => {
    expect(() => checkSecureEndpoint(at(url), false)).toThrow(
      expect.objectContaining({
        code: 'InsecureEndpoint',
        message: expect.stringContaining('allowInsecure: true'),
      }),
    )
    expect(() => checkSecureEndpoint(at(url), true)).not.toThrow()
  })

  it('looks at the secondary too', () => {
    const secondary = 'http://copy.contoso.example'
    const endpoint = endpointOf('https://contoso.table.core.windows.net', { secondary })
    expect(() => checkSecureEndpoint(endpoint, false)).toThrow(/copy\.contoso\.example/)
    expect(() => checkSecureEndpoint(endpoint, true)).not.toThrow()
  })
})
