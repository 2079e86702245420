import { checkScanPolicy, type ScanPolicy } from '@rowkey/query'
import { checkOptions, OptionValueError } from '@rowkey/rest'

/** What holds for all queries of a table, or of an account. */
export interface ScanOptions {
  /**
   * How much a query may read without asking for leave by `.allowPartitionScan()` or
   * `.allowTableScan()`: see `ScanPolicy`.
   *
   * @defaultValue the account's, which is `'tableRange'` unless it says otherwise: a query that says
   * nothing about PartitionKey is refused
   */
  readonly scans?: ScanPolicy | undefined
}

/** What holds for all tables of an account. */
export interface AccountOptions extends ScanOptions {
  /**
   * Every property that a table stores must be encrypted, or in the clear on purpose: `@Encrypted` or
   * `@Plain` on each stored member, `encrypted` or `plain` for each property of a schema. Tables of
   * entities that nobody declared are refused.
   *
   * @defaultValue false
   */
  readonly requireEncryption?: boolean | undefined
}

/** How a table is opened. */
export interface TableOptions extends ScanOptions {
  /** The table's name, when it is not the one that the class or model gives. */
  readonly name?: string | undefined
}

/**
 * How a table is opened, of which its name alone may be said.
 *
 * @param given - as the caller gave it
 * @param inherited - what the account says of all tables
 * @throws UnknownOptionError for an option that there is not
 * @throws QueryError for what is no `ScanPolicy`
 */
export function tableOptions(
  given: string | TableOptions | undefined,
  inherited: ScanOptions,
): TableOptions {
  if (given === undefined || typeof given === 'string') return { ...inherited, name: given }
  const { name, ...scans } = given
  return { name, ...scanOptions(scans, inherited) }
}

/**
 * What holds for all tables of an account, checked.
 *
 * @param given - as the caller gave it
 * @throws UnknownOptionError for an option that there is not
 * @throws OptionValueError and QueryError for a value that means nothing
 */
export function accountOptions(given: AccountOptions): AccountOptions {
  checkOptions(given, ['scans', 'requireEncryption'], 'an account')
  const { requireEncryption = false, scans } = given
  if (typeof requireEncryption !== 'boolean') {
    throw new OptionValueError({ message: 'requireEncryption of an account is true or false.' })
  }
  return { ...scanOptions({ scans }), requireEncryption }
}

/**
 * How much queries may read, checked.
 *
 * @param given - as the caller gave it
 * @param inherited - what holds where that says nothing
 * @throws UnknownOptionError for an option that there is not
 * @throws QueryError for what is no `ScanPolicy`
 */
export function scanOptions(given: ScanOptions, inherited: ScanOptions = {}): ScanOptions {
  checkOptions(given, ['scans'], 'table of an account')
  const { scans } = given
  if (scans === undefined) return inherited
  checkScanPolicy(scans)
  return { scans }
}
