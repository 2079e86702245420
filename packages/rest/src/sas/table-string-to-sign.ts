import type { SasParameters } from './sas-parameters.ts'
import { ACCOUNT_SAS_VERSION, SERVICE_IN_RESOURCE_VERSION } from './sas-version.ts'

/**
 * The text that the signature of a table SAS covers. What is absent keeps its line.
 *
 * @param parameters - the token's parameters, not percent-encoded
 * @param account - the account's name
 * @see https://learn.microsoft.com/rest/api/storageservices/create-service-sas
 */
export function tableStringToSign(parameters: SasParameters, account: string): string {
  const { sv = '', tn = '' } = parameters
  const service = sv >= SERVICE_IN_RESOURCE_VERSION ? '/table' : ''
  const resource = `${service}/${account}/${tn.toLowerCase()}`
  const { sp, st, se, si, sip, spr, spk, srk, epk, erk } = parameters
  const onlyLater = sv >= ACCOUNT_SAS_VERSION ? [sip, spr] : []
  return [sp, st, se, resource, si, ...onlyLater, sv, spk, srk, epk, erk].join('\n')
}
