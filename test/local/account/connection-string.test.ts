import { describe, expect, it } from 'vitest'
import { printConnectionString, printOrigin } from '../../../packages/local/src/account/account.ts'
import { SigningKey } from '../../../packages/local/src/platform/crypto.ts'

describe('printConnectionString', () => {
  it('contains protocol, account, key and endpoint', () => {
    const key = new SigningKey('AAAA')
    const text =
      'DefaultEndpointsProtocol=http;AccountName=contoso;AccountKey=AAAA;TableEndpoint=http://127.0.0.1:7/contoso'
    const account = { name: 'contoso', key }
    expect(printConnectionString('http://127.0.0.1:7', account, 'storage')).toBe(text)
    expect(printConnectionString('http://127.0.0.1:7', account, 'cosmos')).toBe(
      `${text};Flavour=cosmos`,
    )
  })
})

describe('printOrigin', () => {
  it.each([
    ['127.0.0.1', 'http://127.0.0.1:7'],
    ['localhost', 'http://localhost:7'],
    ['0.0.0.0', 'http://127.0.0.1:7'],
    ['::', 'http://[::1]:7'],
    ['::1', 'http://[::1]:7'],
  ])('returns an origin that reaches a listener on %s', (host, origin) => {
    expect(printOrigin('http', host, 7)).toBe(origin)
  })
})
