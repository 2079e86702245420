import { checkScanPolicy, type ScanPolicy } from '@rowkey/query'
import { checkOptions, type OptionNames } from '@rowkey/rest'
import type { EncryptionKeys } from '../encryption/encryption-keys.ts'
import { mapperInputError } from '../errors/codes.ts'

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

const ACCOUNT_OPTION_NAMES: OptionNames<AccountOptions> = {
  scans: true,
  requireEncryption: true,
  continuationKeys: true,
}

/** The options of one table. */
export interface TableOptions extends ScanOptions {
  /** The table's name, by default that of the class or model. */
  readonly name?: string | undefined
}

const TABLE_OPTION_NAMES: OptionNames<TableOptions> = { name: true, scans: true }

/**
 * Reads the options of a table; text is its name.
 *
 * @param given - the caller's options
 * @param inherited - the options of the account
 * @throws InputError (`UnknownOption`) for an unknown option
 * @throws InputError (`InvalidOptionValue`) for options that are not an object
 * @throws InputError (`InvalidQuery`) for an invalid `ScanPolicy`
 */
export function tableOptions(
  given: string | TableOptions | undefined,
  inherited: ScanOptions,
): TableOptions {
  if (given === undefined || typeof given === 'string') return { ...inherited, name: given }
  if (typeof given !== 'object' || given === null) {
    throw mapperInputError({
      code: 'InvalidOptionValue',
      message:
        'The second argument of table() must be the name of the table, or an object of options.',
    })
  }
  checkOptions(given, TABLE_OPTION_NAMES, 'table of an account')
  const { name, ...scans } = given
  return { name, ...scanOptions(scans, inherited) }
}

/**
 * Checks the options of an account.
 *
 * @param given - the caller's options
 * @throws InputError (`UnknownOption`) for an unknown option
 * @throws InputError (`InvalidOptionValue` or `InvalidQuery`) for an invalid value
 */
export function accountOptions(given: AccountOptions): AccountOptions {
  checkOptions(given, ACCOUNT_OPTION_NAMES, 'an account')
  const { requireEncryption = false, scans, continuationKeys } = given
  checkContinuationKeys(continuationKeys)
  if (typeof requireEncryption !== 'boolean') {
    throw mapperInputError({
      code: 'InvalidOptionValue',
      message: 'requireEncryption of an account must be true or false.',
    })
  }
  return { ...scanOptions({ scans }), requireEncryption, continuationKeys }
}

/** Checks only the shape, so that bundlers leave the cipher out of programs without keys. */
function checkContinuationKeys(given: unknown): void {
  if (given === undefined) return
  const { seal, open }: { readonly seal?: unknown; readonly open?: unknown } = given ?? {}
  if (typeof seal === 'function' && typeof open === 'function') return
  throw mapperInputError({
    code: 'InvalidOptionValue',
    message: 'continuationKeys of an account must come from encryptionKeys({ current, keys }).',
  })
}

/**
 * Checks the scan policy of a table.
 *
 * @param given - the caller's options
 * @param inherited - the default policy
 * @throws InputError (`UnknownOption`) for an unknown option
 * @throws InputError (`InvalidQuery`) for an invalid `ScanPolicy`
 */
export function scanOptions(given: ScanOptions, inherited: ScanOptions = {}): ScanOptions {
  checkOptions(given, { scans: true }, 'table of an account')
  const { scans } = given
  if (scans === undefined) return inherited
  checkScanPolicy(scans)
  return { scans }
}
