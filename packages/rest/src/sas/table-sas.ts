import { LONGEST_POLICY_ID } from '../access-policy/access-policy.ts'
import { restInputError } from '../errors/codes.ts'

import { checkOptions } from '../options/check-options.ts'
import { SERVICE_VERSION } from '../request/headers.ts'
import { checkTableName } from '../request/table-path.ts'
import { checkSasKeyRange, type SasKeyRange } from './sas-key-range.ts'
import {
  ACCOUNT_SAS_VERSION,
  checkSasVersion,
  orderLetters,
  printSasToken,
  SAS_TERM_NAMES,
  type SasParameters,
  type SasTerms,
  SERVICE_IN_RESOURCE_VERSION,
  sasWarnings,
  TABLE_SAS_VERSION,
  termParameters,
} from './sas-parameters.ts'
import { SharedAccessSignature } from './shared-access-signature.ts'

/** What a {@link tableSas} allows. */
export interface TableSasOptions extends SasTerms, SasKeyRange {
  /** The table's name. */
  readonly table: string
  /**
   * What may be done: `r` read and query, `a` insert, `u` update and merge, `d` delete; insert-or-…
   * takes `a` and `u`. Any order. Required unless the policy says it.
   */
  readonly permissions?: string | undefined
  /** When it ends, UTC; seconds count. There is no upper bound. Required unless the policy says it. */
  readonly expiry?: Date | undefined
  /**
   * The id of a stored access policy of the table, up to 64 characters: it adds what the token leaves
   * out, and revokes the token when it is deleted. What both say the service refuses.
   */
  readonly policy?: string | undefined
}

const OPTION_NAMES = [...SAS_TERM_NAMES, 'from', 'permissions', 'policy', 'table', 'to']
const PERMISSIONS = 'raud'

/**
 * Makes a shared access signature for one table, or for a range of its keys. Nothing is sent.
 *
 * @param options - for what, for how long, and with whose key
 * @throws {@link InputError} (`InvalidSas`) for what no service would ever accept
 * @throws {@link InputError} (`AccountKeyRequired`) when the credential is not an account key
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
  checkOptions(options, OPTION_NAMES, 'tableSas')
  const { credential } = options
  const parameters = parametersOf(options)
  const signature = credential.sign(tableStringToSign(parameters, credential.account))
  const warnings = sasWarnings(options, parameters.spr, options.policy)
  return new SharedAccessSignature(printSasToken(parameters, signature), warnings)
}

function parametersOf(options: TableSasOptions): SasParameters {
  const { table, permissions, policy, from, to } = options
  checkTableName(table)
  checkPolicy(options)
  checkSasKeyRange({ from, to })
  const version = checkSasVersion(options.version ?? SERVICE_VERSION, TABLE_SAS_VERSION)
  return {
    ...termParameters(options, version),
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
    throw restInputError({
      code: 'InvalidSas',
      message: `policy of a SAS must be the id of a stored access policy, 1 to ${LONGEST_POLICY_ID} characters.`,
    })
  }
  if (permissions !== undefined && expiry !== undefined) return
  throw restInputError({
    code: 'InvalidSas',
    message: `${expiry === undefined ? 'expiry' : 'permissions'} of a SAS is missing. Only a stored access policy, named by policy, can say it instead.`,
  })
}

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
