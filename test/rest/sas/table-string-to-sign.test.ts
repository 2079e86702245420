import { DEVELOPMENT_ACCOUNT } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { tableStringToSign } from '../../../packages/rest/src/sas/table-string-to-sign.ts'
import { tableSignatures } from '../../vectors/sas-signatures.ts'
import { signer } from './signer.ts'

describe('tableStringToSign', () => {
  it.each(tableSignatures)('R-68, R-73: signs $title', ({ parameters, text, signature }) => {
    const made = tableStringToSign(parameters, DEVELOPMENT_ACCOUNT)
    expect(made).toBe(text)
    expect(signer.sign(made)).toBe(signature)
  })

  it.each([
    ['2012-02-12', '/contoso/people'],
    ['2014-02-14', '/contoso/people'],
    ['2015-02-21', '/table/contoso/people'],
    ['2015-04-05', '/table/contoso/people'],
    ['2018-11-09', '/table/contoso/people'],
  ])('R-73: names the resource as version %s does', (sv, resource) => {
    const lines = tableStringToSign({ sv, tn: 'People' }, 'contoso').split('\n')
    expect(lines[3]).toBe(resource)
    expect(lines).toHaveLength(sv < '2015-04-05' ? 10 : 12)
  })
})
