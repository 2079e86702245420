import { tableSas } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { sasWarnings } from '../../../packages/rest/src/sas/sas-warnings.ts'
import { inMinutes, now, signer } from './signer.ts'

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
