import {
  anything,
  declareOptions,
  invalidOption,
  type OptionRules,
  trueOrFalse,
  withMethods,
} from '@rowkey/odata'
import { type ScanPolicy, scanPolicyRule } from '@rowkey/query'
import type { EncryptionKeys } from '../encryption/encryption-keys.ts'

/** The options of all queries of a table or an account. */
export interface ScanOptions {
  /**
   * How much a query may read without `.allowPartitionScan()` or `.allowTableScan()`; see `ScanPolicy`.
   *
   * @defaultValue the account's option, which is `'tableRange'` by default: a query that does not bound
   * PartitionKey is rejected
   */
  readonly scans?: ScanPolicy | undefined
}

/** The options of all tables of an account. */
export interface AccountOptions extends ScanOptions {
  /**
   * Whether every stored property must be encrypted or explicitly plain: `@Encrypted` or `@Plain` on each
   * stored member, `encrypted` or `plain` for each property of a schema. Tables without a declared class
   * are rejected.
   *
   * @defaultValue false
   */
  readonly requireEncryption?: boolean | undefined
  /**
   * The keys that encrypt the continuation tokens of queries, from `encryptionKeys`. Without them a token
   * contains PartitionKey and RowKey in base64. An encrypted token that was altered or belongs to another
   * query is rejected. Use it for tokens that leave the program, such as in URLs. All processes that
   * share tokens need the same keys.
   *
   * @defaultValue tokens are not sealed
   */
  readonly continuationKeys?: EncryptionKeys | undefined
}

const scanRules: OptionRules<ScanOptions> = { scans: scanPolicyRule }

/** Only the shape of the keys is checked, so that bundlers leave the cipher out of programs without keys. */
const accountRules = declareOptions<AccountOptions>({
  ...scanRules,
  requireEncryption: trueOrFalse,
  continuationKeys: withMethods('from encryptionKeys({ current, keys })', 'seal', 'open'),
})

/** The options of one table. */
export interface TableOptions extends ScanOptions {
  /** The table's name, by default that of the class or model. */
  readonly name?: string | undefined
}

const tableRules = declareOptions<TableOptions>({ name: anything, ...scanRules })

/**
 * Reads the options of a table; text is its name. An absent policy leaves that of the account.
 *
 * @param given - the caller's options
 * @throws InputError (`UnknownOption`) for an unknown option
 * @throws InputError (`InvalidOptionValue`) for options that are not an object, and for an invalid value
 */
export function tableOptions(given: string | TableOptions): TableOptions {
  if (typeof given === 'string') return { name: given }
  if (typeof given !== 'object' || given === null) {
    throw invalidOption(
      'The second argument of table() must be the name of the table, or an object of options.',
    )
  }
  tableRules.check(given, 'table of an account')
  const { name, ...scans } = given
  return { name, ...scanOptions(scans) }
}

/**
 * Checks the options of an account.
 *
 * @param given - the caller's options
 * @throws InputError (`UnknownOption`) for an unknown option
 * @throws InputError (`InvalidOptionValue`) for an invalid value
 */
export function accountOptions(given: AccountOptions): AccountOptions {
  accountRules.check(given, 'an account')
  // A spread would lose what options inherit, such as a required encryption.
  const { requireEncryption, scans, continuationKeys } = given
  return { requireEncryption, scans, continuationKeys }
}

const scanOnly = declareOptions(scanRules)

/**
 * Reads the scan policy of a table. An absent policy leaves that of the account.
 *
 * @param given - the caller's options
 * @throws InputError (`UnknownOption`) for an unknown option
 * @throws InputError (`InvalidOptionValue`) for an invalid `ScanPolicy`
 */
export function scanOptions(given: ScanOptions): ScanOptions {
  scanOnly.check(given, 'table of an account')
  return given.scans === undefined ? {} : { scans: given.scans }
}
