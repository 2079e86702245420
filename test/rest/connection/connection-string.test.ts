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

  it('keeps the whole key, with the = in it', () => {
    const { credential } = parseConnectionString(`AccountName=a;AccountKey=${DEVELOPMENT_KEY}`)
    const same = new SharedKeyCredential({ account: 'a', key: DEVELOPMENT_KEY })
    expect((credential as SharedKeyCredential).sign('text')).toBe(same.sign('text'))
  })

  it.each(refused)('refuses $title, and names what is wrong', ({ text, says }) => {
    expect(() => parseConnectionString(text)).toThrow(
      expect.objectContaining({
        name: 'InputError',
        code: 'InvalidConnectionString',
        message: expect.stringMatching(says),
      }),
    )
  })

  it.each(refused)('shows no secret when it refuses $title', ({ text }) => {
    const shown: string[] = []
    try {
      parseConnectionString(text)
    } catch (error) {
      for (let at = error; at instanceof Error; at = at.cause) shown.push(at.stack ?? '')
    }
    for (const secret of secrets) expect(shown.join('\n')).not.toContain(secret)
  })

  it.each([undefined, null, 7, {}, []])('refuses %j, which is no string', (garbage) => {
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

  it('takes a name twice when it says the same', () => {
    expect(readConnectionPairs('AccountName=a;accountname=a')).toEqual({ accountname: 'a' })
  })

  it('ignores names that mean nothing to tables, those of every object included', () => {
    expect(readConnectionPairs('__proto__=a;constructor=b;BlobEndpoint=c')).toEqual({})
  })
})
