import { checkScanPolicy, type ScanPolicy } from '@rowkey/query'
import { checkOptions } from '@rowkey/rest'

/** What holds for all queries of a table, or of an account. */
export interface ScanOptions {
  /**
   * How much a query may read without asking for leave by `.allowPartitionScan()` or
   * `.allowTableScan()`: see {@link ScanPolicy}.
   *
   * @defaultValue the account's, which is `'tableRange'` unless it says otherwise: a query that says
   * nothing about PartitionKey is refused
   */
  readonly scans?: ScanPolicy | undefined
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
 * @throws QueryError for what is no {@link ScanPolicy}
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
 * How much queries may read, checked.
 *
 * @param given - as the caller gave it
 * @param inherited - what holds where that says nothing
 * @throws UnknownOptionError for an option that there is not
 * @throws QueryError for what is no {@link ScanPolicy}
 */
export function scanOptions(given: ScanOptions, inherited: ScanOptions = {}): ScanOptions {
  checkOptions(given, ['scans'], 'table of an account')
  const { scans } = given
  if (scans === undefined) return inherited
  checkScanPolicy(scans)
  return { scans }
}
