import {
  DEVELOPMENT_KEY,
  parseConnectionString,
  SasCredential,
  SharedKeyCredential,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { readConnectionPairs } from '../../../packages/rest/src/connection/connection-string.ts'
import { accepted, refused, secrets } from '../../vectors/connection-strings.ts'

describe('parseConnectionString', () => {
  it.each(accepted)('R-16, R-66: reads $title', (vector) => {
    const { endpoint, credential } = parseConnectionString(vector.text)
    const [origin, basePath] = vector.secondary ?? []
    expect(endpoint).toEqual({
      origin: vector.origin,
      basePath: vector.basePath ?? '',
      account: vector.account,
      flavour: vector.flavour ?? 'storage',
      ...(vector.secondary && { secondary: { origin, basePath } }),
    })
    expect(credential).toBeInstanceOf(vector.sas ? SasCredential : SharedKeyCredential)
  })

  it('keeps the whole key, with its =', () => {
    const { credential } = parseConnectionString(`AccountName=a;AccountKey=${DEVELOPMENT_KEY}`)
    const same = new SharedKeyCredential({ account: 'a', key: DEVELOPMENT_KEY })
    expect((credential as SharedKeyCredential).sign('text')).toBe(same.sign('text'))
  })

  it.each(refused)('rejects $title, and names the wrong part', ({ text, says }) => {
    expect(() => parseConnectionString(text)).toThrow(
      expect.objectContaining({
        name: 'InputError',
        code: 'InvalidConnectionString',
        message: expect.stringMatching(says),
      }),
    )
  })

  it.each(refused)('shows no secret when it rejects $title', ({ text }) => {
    const shown: string[] = []
    try {
      parseConnectionString(text)
    } catch (error) {
      for (let at = error; at instanceof Error; at = at.cause) shown.push(at.stack ?? '')
    }
    for (const secret of secrets) expect(shown.join('\n')).not.toContain(secret)
  })

  it.each([undefined, null, 7, {}, []])('rejects %j, which is not a string', (garbage) => {
    expect(() => parseConnectionString(garbage as string)).toThrow(
      expect.objectContaining({ code: 'InvalidConnectionString' }),
    )
  })
})

describe('readConnectionPairs', () => {
  it('splits each pair at its first =', () => {
    expect(readConnectionPairs('AccountKey=a==;SharedAccessSignature=sv=1&sig=b%3D')).toEqual({
      accountkey: 'a==',
      sharedaccesssignature: 'sv=1&sig=b%3D',
    })
  })

  it('accepts a repeated name with the same value', () => {
    expect(readConnectionPairs('AccountName=a;accountname=a')).toEqual({ accountname: 'a' })
  })

  it('ignores names of other services and of the prototype', () => {
    expect(readConnectionPairs('__proto__=a;constructor=b;BlobEndpoint=c')).toEqual({})
  })

  it.each(['"', "'", ' "'])('rejects a connection string in quotation marks: %s', (mark) => {
    const text = `${mark}AccountName=contoso;AccountKey=c2VjcmV0;EndpointSuffix=contoso.example${mark.trim()}`
    expect(() => readConnectionPairs(text)).toThrow(/Remove the quotation marks/)
    expect(() => readConnectionPairs(text)).not.toThrow(/c2VjcmV0/)
  })
})

describe('a connection string of another kind', () => {
  const messageOf = (text: string): string => {
    try {
      parseConnectionString(text)
    } catch (error) {
      return (error as Error).message
    }
    return 'accepted'
  }

  it('of the NoSQL API of Cosmos DB is called that, and the one for Table is shown', () => {
    const text = `AccountEndpoint=https://contoso.documents.azure.com:443/;AccountKey=${DEVELOPMENT_KEY};`
    expect(messageOf(text)).toMatch(
      /is for the NoSQL API.*AccountName=….*table\.cosmos\.azure\.com/,
    )
    expect(messageOf(text)).not.toContain(DEVELOPMENT_KEY)
    expect(
      parseConnectionString(
        `${text}AccountName=contoso;TableEndpoint=https://contoso.table.cosmos.azure.com`,
      ).endpoint.flavour,
    ).toBe('cosmos')
  })

  it('with a dot before its EndpointSuffix names the same host', () => {
    const text = 'AccountName=contoso;AccountKey=c2VjcmV0;EndpointSuffix=.core.windows.net'
    expect(parseConnectionString(text).endpoint).toEqual(
      parseConnectionString(text.replace('=.', '=')).endpoint,
    )
  })

  it('that is a URL is called that, and not shown', () => {
    const message = messageOf('https://contoso.table.core.windows.net?sig=c2VjcmV0')
    expect(message).toMatch(/is a URL.*endpoint, with a credential.*parseSasUrl/)
    expect(message).not.toContain('c2VjcmV0')
  })
})
