import { DEVELOPMENT_ACCOUNT, sasStringToSign } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { accountSignatures, tableSignatures } from '../../vectors/sas-signatures.ts'
import { signer } from './signer.ts'

describe('sasStringToSign', () => {
  it.each([...tableSignatures, ...accountSignatures])(
    'R-68, R-73, R-80: is right for $title',
    ({ parameters, text, signature }) => {
      const made = sasStringToSign(parameters, DEVELOPMENT_ACCOUNT)
      expect(made).toBe(text)
      expect(signer.sign(made)).toBe(signature)
    },
  )

  it.each([
    ['2012-02-12', 'r\n\n\n/contoso/people\n\n2012-02-12\n\n\n\n'],
    ['2013-08-15', 'r\n\n\n/contoso/people\n\n2013-08-15\n\n\n\n'],
    ['2014-02-14', 'r\n\n\n/contoso/people\n\n2014-02-14\n\n\n\n'],
    ['2015-02-21', 'r\n\n\n/table/contoso/people\n\n2015-02-21\n\n\n\n'],
    ['2015-04-05', 'r\n\n\n/table/contoso/people\n\n\n\n2015-04-05\n\n\n\n'],
    ['2018-11-09', 'r\n\n\n/table/contoso/people\n\n\n\n2018-11-09\n\n\n\n'],
  ])('R-73: has the fields of version %s', (sv, text) => {
    expect(sasStringToSign({ sv, tn: 'People', sp: 'r' }, 'contoso')).toBe(text)
  })

  it('R-73: covers the encryption scope since 2020-12-06', () => {
    const token = { ss: 't', srt: 'o', sp: 'r', se: '2099-01-01', ses: 'scope' }
    expect(sasStringToSign({ ...token, sv: '2020-10-02' }, 'contoso')).toBe(
      'contoso\nr\nt\no\n\n2099-01-01\n\n\n2020-10-02\n',
    )
    expect(sasStringToSign({ ...token, sv: '2020-12-06' }, 'contoso')).toBe(
      'contoso\nr\nt\no\n\n2099-01-01\n\n\n2020-12-06\nscope\n',
    )
  })
})
