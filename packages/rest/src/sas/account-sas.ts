import { declareOptions, required, rule } from '@rowkey/odata'
import {
  inOrder,
  invalidSas,
  makeSas,
  type SasOptions,
  sasLetters,
  sasRules,
  sasTime,
} from './make-sas.ts'
import { ACCOUNT_SAS_VERSION } from './sas-string-to-sign.ts'
import type { SharedAccessSignature } from './shared-access-signature.ts'

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

const PERMISSIONS = 'rwdylacuptfi'
const RESOURCE_TYPES = 'sco'
const SERVICES = 'bqtf'
const services = sasLetters(SERVICES)
const accountSasOptions = declareOptions<AccountSasOptions>(
  {
    ...sasRules,
    expiry: required(sasTime),
    permissions: required(sasLetters(PERMISSIONS)),
    resourceTypes: required(sasLetters(RESOURCE_TYPES)),
    services: rule(
      `${services.text}, with 't' for tables`,
      (letters) => services.accepts(letters) && String(letters).includes('t'),
    ),
  },
  invalidSas,
)

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
  const { permissions, resourceTypes, services = 't' } = options
  return makeSas(options, ACCOUNT_SAS_VERSION, {
    ss: inOrder(services, SERVICES),
    srt: inOrder(resourceTypes, RESOURCE_TYPES),
    sp: inOrder(permissions, PERMISSIONS),
  })
}
