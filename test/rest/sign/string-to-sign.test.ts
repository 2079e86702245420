import { type HttpRequest, stringToSign } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import {
  canonicalizedResource,
  printHttpDate,
} from '../../../packages/rest/src/sign/string-to-sign.ts'
import { SIGNED_DATE, signatures } from '../../vectors/shared-key-signatures.ts'
import { read } from '../people.ts'

describe('stringToSign', () => {
  it.each(signatures)('R-60, R-61: returns the text of the scheme: $title', (vector) => {
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

  it('R-60: contains Content-MD5 when it is sent', () => {
    const request = { ...read, headers: { 'content-md5': 'Q2hlY2s=' } }
    expect(stringToSign('SharedKey', request, 'contoso', SIGNED_DATE)).toMatch(/^GET\nQ2hlY2s=\n\n/)
  })
})

describe('canonicalizedResource', () => {
  it('returns the account and the encoded path', () => {
    expect(canonicalizedResource('acct', "/t(PartitionKey='a%20b',RowKey='')", '')).toBe(
      "/acct/t(PartitionKey='a%20b',RowKey='')",
    )
  })

  it('contains the account twice in path style', () => {
    expect(canonicalizedResource('acct', '/acct/Tables', '')).toBe('/acct/acct/Tables')
  })

  it('keeps only the parameter comp, at any position', () => {
    expect(canonicalizedResource('acct', '/', 'restype=service&comp=properties')).toBe(
      '/acct/?comp=properties',
    )
  })

  it('ignores parameters whose name or value only contains comp', () => {
    expect(canonicalizedResource('acct', '/t()', 'xcomp=1&$filter=comp=2')).toBe('/acct/t()')
  })
})

const AT = Date.UTC(2021, 8, 21, 1, 6, 13)

describe('printHttpDate', () => {
  it('R-63: prints RFC 1123 in GMT', () => {
    expect(printHttpDate(AT)).toBe('Tue, 21 Sep 2021 01:06:13 GMT')
  })

  it('changes with the second, forwards and backwards', () => {
    expect(printHttpDate(AT + 999)).toBe('Tue, 21 Sep 2021 01:06:13 GMT')
    expect(printHttpDate(AT + 1000)).toBe('Tue, 21 Sep 2021 01:06:14 GMT')
    expect(printHttpDate(AT - 1)).toBe('Tue, 21 Sep 2021 01:06:12 GMT')
  })
})
