/** The parameters of a token by their names on the wire, without the signature. */
export type SasParameters = Readonly<Record<string, string | undefined>>

/** The first version with an account SAS, and with `sip` and `spr`. */
export const ACCOUNT_SAS_VERSION = '2015-04-05'

/** The first version with `/table` before the account. */
const SERVICE_IN_RESOURCE_VERSION = '2015-02-21'

/** The first version whose account SAS signs an encryption scope, even an absent one. */
const ENCRYPTION_SCOPE_VERSION = '2020-12-06'

/**
 * Builds the text that a shared access signature covers. An absent parameter keeps its line. The service
 * builds the same text from the token, to compare the signature.
 *
 * @param parameters - the parameters of the token, not percent-encoded; with `tn` it is for a table
 * @param account - the account's name
 * @see https://learn.microsoft.com/rest/api/storageservices/create-service-sas
 * @see https://learn.microsoft.com/rest/api/storageservices/create-account-sas
 *
 * @example
 * ```ts
 * const parameters = Object.fromEntries(new URLSearchParams(token))
 * const signature = credential.sign(sasStringToSign(parameters, 'contoso'))
 * ```
 */
export function sasStringToSign(parameters: SasParameters, account: string): string {
  const { sv = '', tn, sp, st, se, si, sip, spr, spk, srk, epk, erk, ss, srt, ses } = parameters
  if (tn === undefined) {
    const scope = sv >= ENCRYPTION_SCOPE_VERSION ? [ses] : []
    return [account, sp, ss, srt, st, se, sip, spr, sv, ...scope, ''].join('\n')
  }
  const service = sv >= SERVICE_IN_RESOURCE_VERSION ? '/table' : ''
  const resource = `${service}/${account}/${tn.toLowerCase()}`
  const source = sv >= ACCOUNT_SAS_VERSION ? [sip, spr] : []
  return [sp, st, se, resource, si, ...source, sv, spk, srk, epk, erk].join('\n')
}
