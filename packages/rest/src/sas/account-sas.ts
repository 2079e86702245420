import { restInputError } from '../errors/codes.ts'

import { checkOptions } from '../options/check-options.ts'
import { SERVICE_VERSION } from '../request/headers.ts'
import {
  ACCOUNT_SAS_VERSION,
  checkSasVersion,
  ENCRYPTION_SCOPE_VERSION,
  orderLetters,
  printSasToken,
  SAS_TERM_NAMES,
  type SasParameters,
  type SasTerms,
  sasWarnings,
  termParameters,
} from './sas-parameters.ts'
import { SharedAccessSignature } from './shared-access-signature.ts'

/** What an {@link accountSas} allows. */
export interface AccountSasOptions extends SasTerms {
  /** When it ends, UTC; seconds count. There is no upper bound. */
  readonly expiry: Date
  /**
   * What may be done, out of `rwdylacuptfi`. For tables: `r` read, `l` list tables, `a` insert, `u`
   * update and merge, `d` delete, `c` or `w` create tables, `w` set service properties. Any order.
   */
  readonly permissions: string
  /** On what: `s` the service, `c` tables, `o` entities. Any order. */
  readonly resourceTypes: string
  /**
   * Of which services: `b` blobs, `q` queues, `t` tables, `f` files. Any order, `t` among them.
   *
   * @defaultValue `'t'`
   */
  readonly services?: string | undefined
}

const OPTION_NAMES = [...SAS_TERM_NAMES, 'permissions', 'resourceTypes', 'services']
const PERMISSIONS = 'rwdylacuptfi'
const RESOURCE_TYPES = 'sco'
const SERVICES = 'bqtf'

/**
 * Makes a shared access signature for an account: for all of its tables. Nothing is sent. Stored
 * access policies do not apply to it.
 *
 * @param options - for what, for how long, and with whose key
 * @throws {@link InputError} (`InvalidSas`) for what no service would ever accept
 * @throws {@link InputError} (`AccountKeyRequired`) when the credential is not an account key
 * @see https://learn.microsoft.com/rest/api/storageservices/create-account-sas
 *
 * @example
 * ```ts
 * const { token } = accountSas({
 *   credential,
 *   permissions: 'rl',
 *   resourceTypes: 'co',
 *   expiry: new Date(Date.now() + 3_600_000),
 * })
 * ```
 */
export function accountSas(options: AccountSasOptions): SharedAccessSignature {
  checkOptions(options, OPTION_NAMES, 'accountSas')
  const { credential } = options
  const parameters = parametersOf(options)
  const signature = credential.sign(accountStringToSign(parameters, credential.account))
  const warnings = sasWarnings(options, parameters.spr, undefined)
  return new SharedAccessSignature(printSasToken(parameters, signature), warnings)
}

function parametersOf(options: AccountSasOptions): SasParameters {
  const { permissions, resourceTypes, expiry, services = 't' } = options
  const ss = orderLetters(services, SERVICES, 'services')
  if (!ss.includes('t') || expiry === undefined) {
    const fault = expiry === undefined ? 'expiry of' : "the letter 't' in services of"
    throw restInputError({ code: 'InvalidSas', message: `${fault} an account SAS is missing.` })
  }
  const version = checkSasVersion(options.version ?? SERVICE_VERSION, ACCOUNT_SAS_VERSION)
  return {
    ...termParameters(options, version),
    ss,
    srt: orderLetters(resourceTypes, RESOURCE_TYPES, 'resourceTypes'),
    sp: orderLetters(permissions, PERMISSIONS, 'permissions'),
  }
}

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
