import { describe, expect, it } from 'vitest'
import { printSasToken, termParameters } from '../../../packages/rest/src/sas/sas-parameters.ts'
import { expiry, now, signer } from './signer.ts'

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
