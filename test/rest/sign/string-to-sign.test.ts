import { type HttpRequest, stringToSign } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { SIGNED_DATE, signatures } from '../../vectors/shared-key-signatures.ts'
import { read } from '../people.ts'

describe('stringToSign', () => {
  it.each(signatures)('R-60, R-61: is the text of the scheme: $title', (vector) => {
    const request: HttpRequest = {
      method: vector.method,
      origin: 'http://127.0.0.1:10002',
      path: vector.path,
      query: vector.query,
      headers: vector.contentType ? { 'content-type': vector.contentType } : {},
      body: undefined,
    }
    expect(stringToSign(vector.scheme, request, vector.account, SIGNED_DATE)).toBe(vector.text)
  })

  it('R-60: holds Content-MD5 when it is sent', () => {
    const request = { ...read, headers: { 'content-md5': 'Q2hlY2s=' } }
    expect(stringToSign('SharedKey', request, 'contoso', SIGNED_DATE)).toMatch(/^GET\nQ2hlY2s=\n\n/)
  })
})
