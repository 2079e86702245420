import type { SasParameters } from './sas-parameters.ts'
import { ENCRYPTION_SCOPE_VERSION } from './sas-version.ts'

/**
 * The text that the signature of an account SAS covers. What is absent keeps its line, and the last
 * line ends like the others.
 *
 * @param parameters - the token's parameters, not percent-encoded
 * @param account - the account's name
 * @see https://learn.microsoft.com/rest/api/storageservices/create-account-sas
 */
export function accountStringToSign(parameters: SasParameters, account: string): string {
  const { sv = '', sp, ss, srt, st, se, sip, spr, ses } = parameters
  const onlyLater = sv >= ENCRYPTION_SCOPE_VERSION ? [ses] : []
  return [account, sp, ss, srt, st, se, sip, spr, sv, ...onlyLater, ''].join('\n')
}
