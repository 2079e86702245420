import { describe, expect, it } from 'vitest'
import { checkSasSource } from '../../../packages/local/src/access/verify-sas.ts'

const sv = '2019-02-02'
const source = { origin: 'http://127.0.0.1:10002', address: '127.0.0.1' }
const check = (token: Record<string, string>, from: Partial<typeof source> = {}) =>
  checkSasSource(new Map(Object.entries({ sv, ...token })), { ...source, ...from })

describe('checkSasSource', () => {
  it('accepts every protocol and address for a token without them', () => {
    expect(() => check({})).not.toThrow()
    expect(() => check({ spr: 'https,http' })).not.toThrow()
  })

  it('accepts only https when the token says so', () => {
    expect(() => check({ spr: 'https' }, { origin: 'https://contoso.example' })).not.toThrow()
    expect(() => check({ spr: 'https' })).toThrow(
      expect.objectContaining({ status: 403, code: 'AuthorizationProtocolMismatch' }),
    )
  })

  it('accepts the addresses of the token, and tells other clients their own', () => {
    expect(() => check({ sip: '127.0.0.1' })).not.toThrow()
    expect(() => check({ sip: '127.0.0.0-127.0.0.255' })).not.toThrow()
    expect(() => check({ sip: '10.0.0.1' })).toThrow(
      expect.objectContaining({
        status: 403,
        code: 'AuthorizationSourceIPMismatch',
        message:
          'This request is not authorized to perform this operation using this source IP 127.0.0.1.',
      }),
    )
  })

  it.each([
    ['168.1.5.60', '168.1.5.60', true],
    ['168.1.5.60', '168.1.5.61', false],
    ['168.1.5.60-168.1.5.70', '168.1.5.60', true],
    ['168.1.5.60-168.1.5.70', '168.1.5.70', true],
    ['168.1.5.60-168.1.5.70', '168.1.5.7', false],
    ['9.255.255.255-10.0.0.1', '10.0.0.0', true],
    ['0.0.0.0-255.255.255.255', '::1', false],
    ['0.0.0.0-255.255.255.255', '', false],
  ])('%s contains %s: %s', (sip, address, expected) => {
    const call = expect(() => check({ sip }, { address }))
    if (expected) call.not.toThrow()
    else call.toThrow(expect.objectContaining({ code: 'AuthorizationSourceIPMismatch' }))
  })

  it.each([
    '1.2.3',
    '1.2.3.4.5',
    '1.2.3.256',
    '1.2.3.4-',
    '1.2.3.4-1.2.3.5-1.2.3.6',
    '1.2.3.5-1.2.3.4',
    '::1',
    '1.2.3.4/8',
    '01.2.3.4',
  ])('rejects the range %j', (sip) => {
    expect(() => check({ sip }, { address: '1.2.3.4' })).toThrow(
      expect.objectContaining({ code: 'AuthenticationFailed' }),
    )
  })

  it('checks the protocol first', () => {
    expect(() => check({ spr: 'https', sip: '10.0.0.1' })).toThrow(
      expect.objectContaining({ code: 'AuthorizationProtocolMismatch' }),
    )
  })

  it.each([{ spr: 'http' }, { spr: '' }, { sip: '' }, { sip: 'here' }])('rejects %o', (token) => {
    expect(() => check(token)).toThrow(expect.objectContaining({ code: 'AuthenticationFailed' }))
  })

  it('ignores both in versions that do not sign them', () => {
    expect(() => check({ sv: '2015-02-21', spr: 'https', sip: '10.0.0.1' })).not.toThrow()
  })
})
