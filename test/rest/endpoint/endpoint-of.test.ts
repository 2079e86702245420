import { endpointOf } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import {
  checkSecureEndpoint,
  secondaryOf,
  withoutTrailingSlashes,
} from '../../../packages/rest/src/endpoint/endpoint-of.ts'

describe('endpointOf', () => {
  it.each([
    ['https://contoso.table.core.windows.net', '', 'contoso', 'storage'],
    ['https://contoso.table.core.windows.net/', '', 'contoso', 'storage'],
    ['https://contoso-secondary.table.core.windows.net', '', 'contoso', 'storage'],
    ['https://contoso.z01.table.storage.azure.net', '', 'contoso', 'storage'],
    ['https://contoso.table.cosmosdb.azure.com', '', 'contoso', 'cosmos'],
    ['https://contoso.table.cosmos.azure.com', '', 'contoso', 'cosmos'],
    ['http://127.0.0.1:10002/devstoreaccount1', '/devstoreaccount1', 'devstoreaccount1', 'storage'],
    ['http://[::1]:10002/seeds//', '/seeds', 'seeds', 'storage'],
    ['http://localhost:10002/seeds-secondary', '/seeds-secondary', 'seeds', 'storage'],
    ['http://seeds.table.localhost:10002', '', 'seeds', 'storage'],
  ])('R-16: parses %s', (url, basePath, account, flavour) => {
    const { origin } = new URL(url)
    expect(endpointOf(url)).toMatchObject({ origin, basePath, account, flavour })
  })

  it('R-16: keeps a given secondary', () => {
    const secondary = 'https://copy.contoso.example/tables/'
    const options = { account: 'contoso', secondary }
    expect(endpointOf('https://tables.contoso.example', options).secondary).toEqual({
      origin: 'https://copy.contoso.example',
      basePath: '/tables',
    })
    const told = endpointOf('https://contoso.table.core.windows.net', { secondary })
    expect(told.secondary?.origin).toBe('https://copy.contoso.example')
  })

  it('has no secondary for Cosmos DB', () => {
    expect(endpointOf('https://contoso.table.cosmos.azure.com')).not.toHaveProperty('secondary')
    const options = { flavour: 'cosmos' } as const
    expect(endpointOf('http://127.0.0.1:8902/a', options)).not.toHaveProperty('secondary')
  })

  it.each(['', 'contoso', 'https://contoso.example?sig=c2VjcmV0', 7])(
    'rejects the secondary %j without showing a secret',
    (secondary) => {
      const options = { secondary: secondary as string }
      const take = () => endpointOf('https://contoso.table.core.windows.net', options)
      expect(take).toThrow(expect.objectContaining({ code: 'InvalidEndpoint' }))
      expect(take).not.toThrow(/c2VjcmV0/)
    },
  )

  it('prefers account and flavour of the options', () => {
    const options = { account: 'contoso', flavour: 'cosmos' } as const
    expect(endpointOf('https://tables.contoso.example', options)).toMatchObject(options)
  })

  it('returns a frozen object', () => {
    expect(Object.isFrozen(endpointOf('http://127.0.0.1:10002/a'))).toBe(true)
  })

  it.each([
    ['', /http:\/\//],
    ['contoso', /http:\/\//],
    ['ftp://contoso.table.core.windows.net', /http:\/\//],
    ['https://contoso.example', /does not show its account/],
    ['http://127.0.0.1:10002', /does not show its account/],
    ['https://contoso.table.core.windows.net?sig=c2VjcmV0', /shared access signature/],
    ['https://user:c2VjcmV0@contoso.table.core.windows.net', /must not have a user/],
    ['https://c2VjcmV0@contoso.table.core.windows.net', /must not have a user/],
    ['https://:c2VjcmV0@contoso.table.core.windows.net', /must not have a user/],
    ['https://contoso.table.core.windows.net#c2VjcmV0', /fragment/],
    [
      'https://contoso.table.core.windows.net/people',
      /must not have a path.*the URL of the account/,
    ],
  ])('rejects %j without showing a secret', (url, says) => {
    expect(() => endpointOf(url)).toThrow(
      expect.objectContaining({ code: 'InvalidEndpoint', message: expect.stringMatching(says) }),
    )
    expect(() => endpointOf(url)).not.toThrow(/c2VjcmV0/)
  })

  it.each(['http://127.0.0.1/%E0%A4%A', 'http://127.0.0.1/a%0Ab', 'http://127.0.0.1//a'])(
    'rejects %s, whose path has no account',
    (url) => {
      expect(() => endpointOf(url)).toThrow(expect.objectContaining({ code: 'InvalidEndpoint' }))
    },
  )

  it.each(['', 'a/b', 'a\nb', 7, null])('rejects the account %j', (account) => {
    const options = { account: account as string }
    const url = 'https://tables.contoso.example'
    expect(() => endpointOf(url, options)).toThrow(/account/)
  })

  it.each([
    'https://contoso.table.core.windows.net',
    'https://contoso-secondary.table.core.windows.net',
    'https://contoso.privatelink.table.core.windows.net',
  ])('rejects another account at %s', (url) => {
    expect(endpointOf(url, { account: 'contoso' }).account).toBe('contoso')
    expect(() => endpointOf(url, { account: 'fabrikam' })).toThrow(
      /is not one of the account fabrikam/,
    )
  })

  it('reads an account name with capitals as the one in the host, which has none', () => {
    const endpoint = endpointOf('https://Contoso.table.core.windows.net', { account: 'Contoso' })
    expect(endpoint).toMatchObject({
      account: 'Contoso',
      origin: 'https://contoso.table.core.windows.net',
    })
  })

  it('rejects an endpoint of the NoSQL API, and names the one for Table', () => {
    expect(() => endpointOf('https://contoso.documents.azure.com:443/')).toThrow(
      expect.objectContaining({
        code: 'InvalidEndpoint',
        message: expect.stringMatching(/NoSQL.* https:\/\/contoso\.table\.cosmos\.azure\.com/),
      }),
    )
  })

  it('rejects an unknown flavour', () => {
    expect(() => endpointOf('http://127.0.0.1/a', { flavour: 'azure' as 'storage' })).toThrow(
      expect.objectContaining({ code: 'InvalidOptionValue' }),
    )
  })
})

describe('secondaryOf', () => {
  it.each([
    [
      'https://contoso.table.core.windows.net',
      'https://contoso-secondary.table.core.windows.net',
      '',
    ],
    [
      'https://contoso.z99.table.storage.azure.net/',
      'https://contoso-secondary.z99.table.storage.azure.net',
      '',
    ],
    ['http://contoso.table.localhost:10002', 'http://contoso-secondary.table.localhost:10002', ''],
    ['http://127.0.0.1:10002/contoso', 'http://127.0.0.1:10002', '/contoso-secondary'],
    ['http://[::1]:10002/contoso/', 'http://[::1]:10002', '/contoso-secondary'],
  ])('R-16, R-121: adds -secondary to the account in %s', (url, origin, basePath) => {
    expect(secondaryOf(new URL(url), 'contoso')).toEqual({ origin, basePath })
    expect(secondaryOf(new URL(url), 'CONTOSO')).toMatchObject({ origin })
  })

  it.each([
    'https://tables.contoso.example',
    'https://contoso.zone.example',
    'https://contoso-secondary.table.core.windows.net',
    'http://127.0.0.1:10002/contoso-secondary',
  ])('returns undefined for %s', (url) => {
    expect(secondaryOf(new URL(url), 'contoso')).toBeUndefined()
  })
})

describe('withoutTrailingSlashes', () => {
  it.each([
    ['/', ''],
    ['/a', '/a'],
    ['/a//', '/a'],
  ])('turns %j into %j', (path, base) => {
    expect(withoutTrailingSlashes(path)).toBe(base)
  })
})

const at = (url: string) => endpointOf(url, { account: 'contoso' })

describe('checkSecureEndpoint', () => {
  it.each([
    'https://contoso.table.core.windows.net',
    'http://127.0.0.1:10002',
    'http://127.9.8.7',
    'http://localhost:80',
    'http://contoso.table.localhost:10002',
    'http://[::1]:10002',
  ])('accepts %s', (url) => {
    expect(() => checkSecureEndpoint(at(url), false)).not.toThrow()
  })

  it.each([
    'http://contoso.table.core.windows.net',
    'http://10.0.0.1:10002',
    'http://localhost.evil.example',
    'http://127.0.0.1.evil.example',
    'http://[::2]',
  ])('rejects %s unless it is allowed', (url) => {
    expect(() => checkSecureEndpoint(at(url), false)).toThrow(
      expect.objectContaining({
        code: 'InsecureEndpoint',
        message: expect.stringContaining('allowInsecure: true'),
      }),
    )
    expect(() => checkSecureEndpoint(at(url), true)).not.toThrow()
  })

  it('checks the secondary, too', () => {
    const secondary = 'http://copy.contoso.example'
    const endpoint = endpointOf('https://contoso.table.core.windows.net', { secondary })
    expect(() => checkSecureEndpoint(endpoint, false)).toThrow(/copy\.contoso\.example/)
    expect(() => checkSecureEndpoint(endpoint, true)).not.toThrow()
  })
})
