import { type AccountSasOptions, accountSas, SasCredential } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { expiry, now, signer } from './signer.ts'

const options: AccountSasOptions = {
  credential: signer,
  permissions: 'rl',
  resourceTypes: 'co',
  expiry,
  now,
}

const made = (more: Partial<AccountSasOptions> = {}) =>
  Object.fromEntries(new URLSearchParams(accountSas({ ...options, ...more }).token))

describe('accountSas', () => {
  it('R-79, R-80: makes a token for all tables of the account without a request', () => {
    const { sig, ...token } = made({ permissions: 'ualdwr', resourceTypes: 'ocs' })
    expect(token).toEqual({
      sv: '2019-02-02',
      ss: 't',
      srt: 'sco',
      sp: 'rwdlau',
      se: '2099-01-01T00:00:00Z',
      spr: 'https',
    })
    expect(sig).toMatch(/^[A-Za-z0-9+/]{43}=$/)
  })

  it('can include other services', () => {
    expect(made({ services: 'tqb' }).ss).toBe('bqt')
  })

  it('makes a token that a SasCredential accepts', () => {
    expect(() => new SasCredential(accountSas(options).token)).not.toThrow()
  })

  it.each<[Partial<Record<keyof AccountSasOptions, unknown>>, RegExp]>([
    [{ permissions: 'rx' }, /permissions/],
    [{ permissions: undefined }, /permissions/],
    [{ resourceTypes: '' }, /resourceTypes/],
    [{ resourceTypes: 'table' }, /resourceTypes/],
    [{ services: 'bq' }, /services .* with 't'/],
    [{ services: 'tx' }, /services/],
    [{ services: 'tt' }, /services/],
    [{ expiry: undefined }, /expiry .* valid Date/],
    [{ version: '2015-02-21' }, /2015-04-05/],
  ])('rejects %j', (more, says) => {
    expect(() => made(more as Partial<AccountSasOptions>)).toThrow(
      expect.objectContaining({ code: 'InvalidSas', message: expect.stringMatching(says) }),
    )
  })

  it('rejects an option of a table SAS, and a credential without a key', () => {
    expect(() => made({ policy: 'support' } as never)).toThrow(/policy/)
    expect(() => made({ credential: {} as never })).toThrow(
      expect.objectContaining({ code: 'AccountKeyRequired' }),
    )
  })
})
