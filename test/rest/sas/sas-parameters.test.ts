import { tableSas } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import {
  checkSasVersion,
  orderLetters,
  parseSasTime,
  printSasTime,
  printSasToken,
  sasWarnings,
  termParameters,
} from '../../../packages/rest/src/sas/sas-parameters.ts'
import { expiry, inMinutes, now, signer } from './signer.ts'

describe('termParameters', () => {
  it('has what every kind of token says', () => {
    const terms = { credential: signer, expiry, ips: '1.2.3.4', now }
    expect(termParameters(terms, '2019-02-02')).toEqual({
      sv: '2019-02-02',
      st: undefined,
      se: '2099-01-01T00:00:00Z',
      sip: '1.2.3.4',
      spr: 'https',
    })
  })
})

describe('printSasToken', () => {
  it('percent-encodes values and leaves out what is absent, but not what is empty', () => {
    const token = printSasToken({ sv: '1', tn: undefined, spk: '', srk: "a+b&c='ä" }, 'x+y/z=')
    expect(token).toBe("sv=1&spk=&srk=a%2Bb%26c%3D'%C3%A4&sig=x%2By%2Fz%3D")
  })
})

describe('orderLetters', () => {
  it('R-70: sorts into the order of the service', () => {
    expect(orderLetters('duar', 'raud', 'permissions')).toBe('raud')
    expect(orderLetters('d', 'raud', 'permissions')).toBe('d')
  })

  it.each(['', 'x', 'rx', 'rr', 'R', 7, undefined])('refuses %j and names the option', (given) => {
    expect(() => orderLetters(given as string, 'raud', 'permissions')).toThrow(
      /^permissions of a SAS must be letters out of 'raud'/,
    )
  })
})

describe('printSasTime', () => {
  it('cuts what is finer than a second', () => {
    expect(printSasTime(new Date(Date.UTC(2021, 8, 21, 1, 2, 3, 999)), 'expiry')).toBe(
      '2021-09-21T01:02:03Z',
    )
  })

  it.each([new Date(Number.NaN), new Date(Date.UTC(10_000, 0)), new Date(-1e14), 7, null])(
    'refuses %s',
    (date) => {
      expect(() => printSasTime(date as Date, 'expiry')).toThrow(/expiry of a SAS/)
    },
  )
})

describe('parseSasTime', () => {
  it.each([
    ['2021-09-21', 0],
    ['2021-09-21T01:02Z', 3720_000],
    ['2021-09-21T01:02:03Z', 3723_000],
    ['2021-09-21T01:02:03.1234567Z', 3723_123],
  ])('reads %s', (text, sinceMidnight) => {
    expect(parseSasTime(text)).toBe(Date.UTC(2021, 8, 21) + sinceMidnight)
  })

  it.each([undefined, '', 'soon'])('knows no moment in %j', (text) => {
    expect(parseSasTime(text)).toBeUndefined()
  })
})

describe('checkSasVersion', () => {
  it.each(['2012-02-12', '2015-04-05', '2026-02-06'])('R-73: takes %s', (version) => {
    expect(checkSasVersion(version, '2012-02-12')).toBe(version)
  })

  it.each(['2011-08-18', '2019-2-2', '2019-13-01', '2019-02-02&sp=raud', '', 7])(
    'refuses %j',
    (version) => {
      expect(() => checkSasVersion(version as string, '2012-02-12')).toThrow(
        expect.objectContaining({ code: 'InvalidSas' }),
      )
    },
  )
})

const terms = { credential: signer, expiry: inMinutes(60), now }

describe('sasWarnings', () => {
  it('says nothing about an hour over https', () => {
    expect(sasWarnings(terms, 'https', undefined)).toEqual([])
  })

  it.each([undefined, 'https,http'])('R-78: warns of plain http, said as %j', (spr) => {
    expect(sasWarnings(terms, spr, undefined)).toEqual([expect.stringContaining('plain http')])
  })

  it.each([
    [-6, 0],
    [-4, 1],
    [0, 1],
    [4, 1],
    [6, 0],
  ])('R-78: of a start %i minutes from now gives %i warnings', (minutes, count) => {
    const warnings = sasWarnings({ ...terms, start: inMinutes(minutes) }, 'https', undefined)
    expect(warnings).toHaveLength(count)
  })

  it('R-78: warns of a long life that no stored policy can end', () => {
    const long = { ...terms, expiry: inMinutes(24 * 60 + 1) }
    expect(sasWarnings(long, 'https', undefined)).toEqual([expect.stringContaining('revoked')])
    expect(sasWarnings(long, 'https', 'support')).toEqual([])
    expect(sasWarnings({ ...terms, expiry: inMinutes(24 * 60) }, 'https', undefined)).toEqual([])
  })

  it('R-78: comes with the token, as data', () => {
    const { warnings } = tableSas({ ...terms, table: 'people', permissions: 'r' })
    expect(warnings).toEqual([])
    expect(Object.isFrozen(warnings)).toBe(true)
  })
})
