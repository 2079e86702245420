import { DEVELOPMENT_ACCOUNT } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { accountStringToSign } from '../../../packages/rest/src/sas/account-string-to-sign.ts'
import { accountSignatures } from '../../vectors/sas-signatures.ts'
import { signer } from './signer.ts'

describe('accountStringToSign', () => {
  it.each(accountSignatures)('R-73, R-80: signs $title', ({ parameters, text, signature }) => {
    const made = accountStringToSign(parameters, DEVELOPMENT_ACCOUNT)
    expect(made).toBe(text)
    expect(signer.sign(made)).toBe(signature)
  })
})
