import { inspect } from 'node:util'
import { DEVELOPMENT_KEY, endpointOf, type HttpRequest, SharedKeyCredential } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { SIGNED_AT, SIGNED_DATE, signatures } from '../../vectors/shared-key-signatures.ts'
import { contoso, read, write } from '../people.ts'

describe('SharedKeyCredential', () => {
  it.each(signatures)('R-62: signs like the service: $title', (vector) => {
    const { scheme, account } = vector
    const credential = new SharedKeyCredential({ account, key: DEVELOPMENT_KEY, scheme })
    const request: HttpRequest = {
      method: vector.method,
      origin: 'http://127.0.0.1:10002',
      path: vector.path,
      query: vector.query,
      headers: vector.contentType ? { 'content-type': vector.contentType } : {},
      body: undefined,
    }
    const signed = credential.authorize(request, endpointOf('http://localhost/a'), SIGNED_AT)
    expect(signed.headers.authorization).toBe(`${scheme} ${account}:${vector.signature}`)
    expect(signed.headers['x-ms-date']).toBe(SIGNED_DATE)
  })

  it('adds two headers and changes nothing else', () => {
    const credential = new SharedKeyCredential({ account: 'contoso', key: DEVELOPMENT_KEY })
    const before = Object.freeze({ ...write, headers: Object.freeze({ accept: 'x' }) })
    const { headers, ...rest } = credential.authorize(before, contoso, SIGNED_AT)
    const { headers: _, ...unsigned } = before
    expect(rest).toEqual(unsigned)
    expect(Object.keys(headers).sort()).toEqual(['accept', 'authorization', 'x-ms-date'])
  })

  it('signs with SharedKeyLite by default', () => {
    const credential = new SharedKeyCredential({ account: 'contoso', key: DEVELOPMENT_KEY })
    expect(credential.scheme).toBe('SharedKeyLite')
  })

  it('R-64, R-67: signs with the new key after rotate', () => {
    const credential = new SharedKeyCredential({ account: 'contoso', key: 'b2xk' })
    const before = credential.authorize(read, contoso, SIGNED_AT).headers.authorization
    credential.rotate(DEVELOPMENT_KEY)
    const same = new SharedKeyCredential({ account: 'contoso', key: DEVELOPMENT_KEY })
    const { authorization } = credential.authorize(read, contoso, SIGNED_AT).headers
    expect(authorization).toBe(same.authorize(read, contoso, SIGNED_AT).headers.authorization)
    expect(authorization).not.toBe(before)
  })

  it('R-67: keeps its key when the new one is invalid', () => {
    const credential = new SharedKeyCredential({ account: 'contoso', key: DEVELOPMENT_KEY })
    const before = credential.sign('text')
    expect(() => credential.rotate('c2VjcmV0!')).toThrow(/base64/)
    expect(() => credential.rotate('c2VjcmV0!')).not.toThrow(/c2VjcmV0/)
    expect(credential.sign('text')).toBe(before)
  })

  it('never shows the key', () => {
    const credential = new SharedKeyCredential({ account: 'contoso', key: DEVELOPMENT_KEY })
    const bytes = Buffer.from(DEVELOPMENT_KEY, 'base64')
    const shown = [
      inspect(credential, { depth: 9, showHidden: true }),
      JSON.stringify(credential),
      String(credential),
      JSON.stringify({ ...credential }),
    ].join('\n')
    expect(shown).not.toContain(DEVELOPMENT_KEY.slice(0, 12))
    expect(shown).not.toContain(bytes.toString('hex').slice(0, 12))
  })

  it.each([
    ['no base64', 'not base64!'],
    ['cut short', DEVELOPMENT_KEY.slice(0, -3)],
    ['empty', ''],
    ['not a string', 7],
    ['a list', [DEVELOPMENT_KEY]],
  ])('rejects a key that is %s without showing it', (_, key) => {
    const make = () => new SharedKeyCredential({ account: 'contoso', key: key as string })
    expect(make).toThrow(expect.objectContaining({ code: 'InvalidCredential' }))
    expect(make).not.toThrow(/Eby8|not base64!/)
  })

  it.each(['', 'a/b', 'a\r\nb', 'ä', undefined])('rejects the account %j', (account) => {
    const make = () => new SharedKeyCredential({ account: account as string, key: DEVELOPMENT_KEY })
    expect(make).toThrow(expect.objectContaining({ code: 'InvalidCredential' }))
  })

  it('rejects an unknown scheme and an unknown option', () => {
    const options = { account: 'contoso', key: DEVELOPMENT_KEY }
    expect(() => new SharedKeyCredential({ ...options, scheme: 'Basic' as 'SharedKey' })).toThrow(
      expect.objectContaining({ code: 'InvalidOptionValue' }),
    )
    expect(() => new SharedKeyCredential({ ...options, shceme: 'SharedKey' } as never)).toThrow(
      /shceme/,
    )
  })
})
