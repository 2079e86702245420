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
