import { anything, checkEntityKey, declareOptions } from '@rowkey/odata'
import { LONGEST_POLICY_ID } from '../access-policy/dated-policy-id.ts'
import { type Flavour, flavourRule } from '../endpoint/endpoint.ts'
import { SERVICE_VERSION } from '../request/headers.ts'
import { checkTableName } from '../request/path.ts'
import type { SasBound, SasKeyRange } from './sas-key-range.ts'
import {
  checkSasVersion,
  commonParameters,
  invalidSas,
  orderLetters,
  printSasToken,
  type SasOptions,
  type SasParameters,
  sasRules,
  sasWarnings,
  TABLE_SAS_VERSION,
} from './sas-parameters.ts'
import { sasStringToSign } from './sas-string-to-sign.ts'
import { SharedAccessSignature } from './shared-access-signature.ts'

/** The options of {@link tableSas}. */
export interface TableSasOptions extends SasOptions, SasKeyRange {
  /** The table's name. */
  readonly table: string
  /**
   * The kind of service, whose rule the table's name follows.
   *
   * @defaultValue `'storage'`
   */
  readonly flavour?: Flavour | undefined
  /**
   * The permissions: `r` read and query, `a` insert, `u` update and merge, `d` delete; insert-or-…
   * needs `a` and `u`. Any order. Required unless the policy has them.
   */
  readonly permissions?: string | undefined
  /** When the token expires, UTC, in seconds, without an upper bound. Required unless the policy has it. */
  readonly expiry?: Date | undefined
  /**
   * The id of a stored access policy of the table, up to 64 characters. The policy adds what the token
   * leaves out, and revokes the token when it is deleted. The service rejects what both of them set.
   */
  readonly policy?: string | undefined
}

const tableSasOptions = declareOptions<TableSasOptions>({
  ...sasRules,
  flavour: flavourRule,
  from: anything,
  permissions: anything,
  policy: anything,
  table: anything,
  to: anything,
})
const PERMISSIONS = 'raud'

/**
 * Makes a shared access signature for one table, or for a range of its keys, without a request.
 *
 * @param options - permissions, times, keys, and the key that signs
 * @throws `InputError` (`InvalidSas`) for options that no service accepts, and
 * `AccountKeyRequired` when the credential is not an account key
 * @see https://learn.microsoft.com/rest/api/storageservices/create-service-sas
 *
 * @example
 * ```ts
 * const { token } = tableSas({
 *   credential,
 *   table: 'people',
 *   permissions: 'raud',
 *   expiry: new Date(Date.now() + 3_600_000),
 *   from: { partitionKey: 'Smith' },
 *   to: { partitionKey: 'Smith' },
 * })
 * ```
 */
export function tableSas(options: TableSasOptions): SharedAccessSignature {
  tableSasOptions.check(options, 'tableSas')
  const { credential } = options
  const parameters = parametersOf(options)
  const signature = credential.sign(sasStringToSign(parameters, credential.account))
  const warnings = sasWarnings(options, parameters.spr, options.policy)
  return new SharedAccessSignature(printSasToken(parameters, signature), warnings)
}

function parametersOf(options: TableSasOptions): SasParameters {
  const { table, flavour = 'storage', permissions, policy, from, to } = options
  checkTableName(table, flavour)
  checkPolicy(options)
  checkSasKeyRange({ from, to })
  const version = checkSasVersion(options.version ?? SERVICE_VERSION, TABLE_SAS_VERSION)
  return {
    ...commonParameters(options, version),
    tn: table,
    sp:
      permissions === undefined ? undefined : orderLetters(permissions, PERMISSIONS, 'permissions'),
    si: policy,
    spk: from?.partitionKey,
    srk: from?.rowKey,
    epk: to?.partitionKey,
    erk: to?.rowKey,
  }
}

function checkPolicy({ policy, permissions, expiry }: TableSasOptions): void {
  if (policy !== undefined) {
    if (typeof policy === 'string' && policy !== '' && policy.length <= LONGEST_POLICY_ID) return
    throw invalidSas(
      `policy of a SAS must be the id of a stored access policy, 1 to ${LONGEST_POLICY_ID} characters.`,
    )
  }
  if (permissions !== undefined && expiry !== undefined) return
  throw invalidSas(
    `${expiry === undefined ? 'expiry' : 'permissions'} of a SAS is missing. Set it, or set policy to a stored access policy that has it.`,
  )
}

/**
 * Rejects an empty range, and bounds that are not valid keys.
 *
 * @param range - the caller's range
 * @throws `InputError` (`InvalidSas` or `InvalidEntityKey`)
 */
export function checkSasKeyRange({ from, to }: SasKeyRange): void {
  for (const bound of [from, to]) {
    if (bound !== undefined) {
      checkEntityKey({ partitionKey: bound?.partitionKey, rowKey: bound?.rowKey ?? '' })
    }
  }
  if (from === undefined || to === undefined) return
  if (!isAfter(from, to)) return
  throw invalidSas('from of a SAS is after to, so its range contains no key.')
}

/** Without a RowKey, the first bound begins its partition, and the last one ends it. */
function isAfter(from: SasBound, to: SasBound): boolean {
  if (from.partitionKey !== to.partitionKey) return from.partitionKey > to.partitionKey
  return to.rowKey !== undefined && (from.rowKey ?? '') > to.rowKey
}
