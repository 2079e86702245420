import { anything, declareOptions } from '@rowkey/odata'
import { SERVICE_VERSION } from '../request/headers.ts'
import {
  ACCOUNT_SAS_VERSION,
  checkSasVersion,
  commonParameters,
  invalidSas,
  orderLetters,
  printSasToken,
  type SasOptions,
  type SasParameters,
  sasRules,
  sasWarnings,
} from './sas-parameters.ts'
import { sasStringToSign } from './sas-string-to-sign.ts'
import { SharedAccessSignature } from './shared-access-signature.ts'

/** The options of {@link accountSas}. */
export interface AccountSasOptions extends SasOptions {
  /** When the token expires, UTC, in seconds. Any later time is valid. */
  readonly expiry: Date
  /**
   * The permissions, out of `rwdylacuptfi`. For tables: `r` read, `l` list tables, `a` insert, `u`
   * update and merge, `d` delete, `c` or `w` create tables, `w` set service properties. Any order.
   */
  readonly permissions: string
  /** The kinds of resource: `s` the service, `c` tables, `o` entities. Any order. */
  readonly resourceTypes: string
  /**
   * The services: `b` blobs, `q` queues, `t` tables, `f` files. Any order, with `t`.
   *
   * @defaultValue `'t'`
   */
  readonly services?: string | undefined
}

const accountSasOptions = declareOptions<AccountSasOptions>({
  ...sasRules,
  permissions: anything,
  resourceTypes: anything,
  services: anything,
})
const PERMISSIONS = 'rwdylacuptfi'
const RESOURCE_TYPES = 'sco'
const SERVICES = 'bqtf'

/**
 * Makes a shared access signature for all tables of an account, without a request. Stored access
 * policies do not apply to it.
 *
 * @param options - permissions, times, and the key that signs
 * @throws `InputError` (`InvalidSas`) for options that no service accepts, and
 * `AccountKeyRequired` when the credential is not an account key
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
  accountSasOptions.check(options, 'accountSas')
  const { credential } = options
  const parameters = parametersOf(options)
  const signature = credential.sign(sasStringToSign(parameters, credential.account))
  const warnings = sasWarnings(options, parameters.spr, undefined)
  return new SharedAccessSignature(printSasToken(parameters, signature), warnings)
}

function parametersOf(options: AccountSasOptions): SasParameters {
  const { permissions, resourceTypes, expiry, services = 't' } = options
  const ss = orderLetters(services, SERVICES, 'services')
  if (!ss.includes('t') || expiry === undefined) {
    const missing = expiry === undefined ? 'expiry' : "the letter 't' in services"
    throw invalidSas(`${missing} of an account SAS is missing.`)
  }
  const version = checkSasVersion(options.version ?? SERVICE_VERSION, ACCOUNT_SAS_VERSION)
  return {
    ...commonParameters(options, version),
    ss,
    srt: orderLetters(resourceTypes, RESOURCE_TYPES, 'resourceTypes'),
    sp: orderLetters(permissions, PERMISSIONS, 'permissions'),
  }
}
