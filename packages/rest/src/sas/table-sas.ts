import { anything, checkEntityKey, declareOptions, rule } from '@rowkey/odata'
import { LONGEST_POLICY_ID } from '../access-policy/dated-policy-id.ts'
import { type Flavour, flavourRule } from '../endpoint/endpoint.ts'
import { checkTableName } from '../request/path.ts'
import { inOrder, invalidSas, makeSas, type SasOptions, sasLetters, sasRules } from './make-sas.ts'
import { isInSasKeyRange, type SasKeyRange } from './sas-key-range.ts'
import type { SharedAccessSignature } from './shared-access-signature.ts'

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

const PERMISSIONS = 'raud'
const tableSasOptions = declareOptions<TableSasOptions>(
  {
    ...sasRules,
    flavour: flavourRule,
    from: anything,
    permissions: sasLetters(PERMISSIONS),
    policy: rule(
      `the id of a stored access policy, 1 to ${LONGEST_POLICY_ID} characters in one line`,
      (policy) => typeof policy === 'string' && isPolicyId(policy),
    ),
    table: anything,
    to: anything,
  },
  invalidSas,
)

/** In the signed text, each parameter is a line: two lines would sign the same text as two parameters. */
function isPolicyId(policy: string): boolean {
  return policy !== '' && policy.length <= LONGEST_POLICY_ID && !policy.includes('\n')
}

/** The first version with a table SAS. */
const FIRST_VERSION = '2012-02-12'

/**
 * Makes a shared access signature for one table, or for a range of its keys, without a request.
 *
 * @param options - permissions, times, keys, and the key that signs
 * @throws `InputError` (`InvalidSas`) for options that no service accepts and for an empty last key, and
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
  const { table, flavour = 'storage', permissions, policy, from, to } = options
  checkTableName(table, flavour)
  checkTerms(options)
  checkSasKeyRange({ from, to })
  return makeSas(options, FIRST_VERSION, {
    tn: table,
    sp: permissions && inOrder(permissions, PERMISSIONS),
    si: policy,
    spk: from?.partitionKey,
    srk: from?.rowKey,
    epk: to?.partitionKey,
    erk: to?.rowKey,
  })
}

function checkTerms({ policy, permissions, expiry }: TableSasOptions): void {
  if (policy !== undefined || (permissions !== undefined && expiry !== undefined)) return
  throw invalidSas(
    `${expiry === undefined ? 'expiry' : 'permissions'} of a SAS is missing. Set it, or set policy to a stored access policy that has it.`,
  )
}

/**
 * Rejects an empty range, bounds that are not valid keys, and bounds that the holder of the token could remove.
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
  checkBoundsAreSigned(from, to)
  if (from === undefined || isInSasKeyRange({ to }, { ...from, rowKey: from.rowKey ?? '' })) return
  throw invalidSas('from of a SAS is after to, so its range contains no key.')
}

/**
 * Rejects an empty key where a missing one allows more: both sign the same text, so the holder of the token could
 * remove the key from it. An empty first key is the first of all keys, present or not.
 */
function checkBoundsAreSigned(from: SasKeyRange['from'], to: SasKeyRange['to']): void {
  if (from?.partitionKey === '' && from.rowKey) {
    throw widened(
      'The first PartitionKey',
      'Leave the first key out, to begin with the first row of the table.',
    )
  }
  if (to?.partitionKey === '') {
    throw widened(
      'The last PartitionKey',
      "Leave the last key out to allow the rest of the table, or end at ' ', the lowest PartitionKey that is not empty.",
    )
  }
  if (to?.rowKey === '') {
    throw widened(
      'The last RowKey',
      "Leave it out to allow the whole partition, or end at ' ', the lowest RowKey that is not empty.",
    )
  }
}

function widened(bound: string, wayOut: string): Error {
  return invalidSas(
    `${bound} of a SAS must not be empty: the signature is the same without it, so the holder of the token could remove it and reach more rows. ${wayOut}`,
  )
}
