import { type TableSasOptions, tableSas } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { printSasToken, sasWarnings } from '../../../packages/rest/src/sas/make-sas.ts'
import { expiry, inMinutes, now, signer } from './signer.ts'

const rejected = expect.objectContaining({ code: 'InvalidSas' })
const made = (more: Partial<Record<keyof TableSasOptions, unknown>>) => {
  const options = { credential: signer, table: 'people', permissions: 'r', expiry, now, ...more }
  return Object.fromEntries(new URLSearchParams(tableSas(options as TableSasOptions).token))
}

describe('makeSas', () => {
  it('adds the parameters of every kind of token', () => {
    expect(made({ ips: '1.2.3.4' })).toMatchObject({
      sv: '2019-02-02',
      se: '2099-01-01T00:00:00Z',
      sip: '1.2.3.4',
      spr: 'https',
    })
    expect(made({})).not.toHaveProperty('st')
  })

  it('cuts off fractions of a second', () => {
    const start = new Date(Date.UTC(2021, 8, 21, 1, 2, 3, 999))
    expect(made({ start }).st).toBe('2021-09-21T01:02:03Z')
  })

  it('takes the clock of this machine when it gets none', () => {
    expect(() => made({ now: undefined, expiry: new Date(Date.UTC(2020, 0)) })).toThrow(
      'in the future',
    )
    expect(made({ now: undefined })).toHaveProperty('sig')
  })
})

describe('the rules of every kind of token', () => {
  it.each(['', '1.2.3', '1.2.3.4-', '2.0.0.0-1.0.0.0', '01.2.3.4', '::1', 7])(
    'reject the addresses %j',
    (ips) => {
      expect(() => made({ ips })).toThrow(rejected)
    },
  )

  it.each([new Date(Number.NaN), new Date(Date.UTC(10_000, 0)), new Date(-1e14), 7, null])(
    'reject the time %s',
    (time) => {
      expect(() => made({ expiry: time })).toThrow(rejected)
      expect(() => made({ start: time })).toThrow(/^start of /)
    },
  )

  it('accept the first time that a token can contain', () => {
    const first = '0000-01-01T00:00:00Z'
    expect(made({ start: new Date(first) }).st).toBe(first)
  })

  it.each(['2012-02-12', '2015-04-05', '2026-02-06'])('R-73: accept the version %s', (version) => {
    expect(made({ version }).sv).toBe(version)
  })

  it('allow only https by default, from the first version that can say so', () => {
    expect(made({ version: '2015-04-05' }).spr).toBe('https')
    expect(made({ version: '2015-02-21' })).not.toHaveProperty('spr')
    const first = { version: '2015-04-05', ips: '1.2.3.4', protocol: 'https' }
    expect(made(first)).toMatchObject({ sip: '1.2.3.4', spr: 'https' })
  })

  it.each(['2011-08-18', '2019-2-2', '2019-13-01', '2019-02-02&sp=raud', '', 7, ['2019-02-02']])(
    'reject the version %j',
    (version) => {
      expect(() => made({ version })).toThrow(rejected)
    },
  )
})

describe('sasLetters', () => {
  it('R-70: are sorted into the order of the service', () => {
    expect(made({ permissions: 'duar' }).sp).toBe('raud')
    expect(made({ permissions: 'd' }).sp).toBe('d')
  })

  it.each(['', 'x', 'rx', 'rr', 'R', 7, null])('rejects %j and names the option', (permissions) => {
    expect(() => made({ permissions })).toThrow(
      /^permissions of tableSas must be letters out of 'raud'/,
    )
  })
})

describe('printSasToken', () => {
  it('percent-encodes values, and omits absent but not empty ones', () => {
    const token = printSasToken({ sv: '1', tn: undefined, spk: '', srk: "a+b&c='ä" }, 'x+y/z=')
    expect(token).toBe("sv=1&spk=&srk=a%2Bb%26c%3D'%C3%A4&sig=x%2By%2Fz%3D")
  })
})

const terms = { credential: signer, expiry: inMinutes(60), now }

describe('sasWarnings', () => {
  it('does not warn of an hour over https', () => {
    expect(sasWarnings(terms, 'https', undefined)).toEqual([])
  })

  it.each([undefined, 'https,http'])('R-78: warns of plain http, as %j', (spr) => {
    expect(sasWarnings(terms, spr, undefined)).toEqual([expect.stringContaining('plain http')])
  })

  it.each([
    [-6, 0],
    [-4, 1],
    [0, 1],
    [4, 1],
    [5, 0],
    [6, 0],
  ])('R-78: for a start %i minutes from now returns %i warnings', (minutes, count) => {
    const warnings = sasWarnings({ ...terms, start: inMinutes(minutes) }, 'https', undefined)
    expect(warnings).toHaveLength(count)
  })

  it('R-78: warns of a long life that no stored policy can end', () => {
    const long = { ...terms, expiry: inMinutes(24 * 60 + 1) }
    expect(sasWarnings(long, 'https', undefined)).toEqual([expect.stringContaining('revoked')])
    expect(sasWarnings(long, 'https', 'support')).toEqual([])
    expect(sasWarnings({ ...terms, expiry: inMinutes(24 * 60) }, 'https', undefined)).toEqual([])
  })

  it("R-78: are part of the token's object", () => {
    const { warnings } = tableSas({ ...terms, table: 'people', permissions: 'r' })
    expect(warnings).toEqual([])
    expect(Object.isFrozen(warnings)).toBe(true)
  })
})
