import { checkScanPolicy, type ScanPolicy } from '@rowkey/query'
import { checkOptions } from '@rowkey/rest'
import type { EncryptionKeys } from '../encryption/encryption-keys.ts'
import { mapperInputError } from '../errors/codes.ts'

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
  /**
   * Seals the continuation tokens of queries, which else hold PartitionKey and RowKey in plain base64: a
   * sealed token shows nothing, and one that was altered or belongs to another query is rejected. For
   * tokens that leave the program, such as in the URLs of a REST interface. All processes that share
   * tokens need the same keys. From `encryptionKeys`.
   *
   * @defaultValue tokens are not sealed
   */
  readonly continuationKeys?: EncryptionKeys | undefined
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
 * @throws InputError (`UnknownOption`) for an option that there is not
 * @throws InputError (`InvalidQuery`) for an invalid `ScanPolicy`
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
 * @throws InputError (`UnknownOption`) for an option that there is not
 * @throws InputError (`InvalidOptionValue`, `InvalidQuery`) for an invalid value
 */
export function accountOptions(given: AccountOptions): AccountOptions {
  checkOptions(given, ['scans', 'requireEncryption', 'continuationKeys'], 'an account')
  const { requireEncryption = false, scans, continuationKeys } = given
  checkContinuationKeys(continuationKeys)
  if (typeof requireEncryption !== 'boolean') {
    throw mapperInputError({
      code: 'InvalidOptionValue',
      message: 'requireEncryption of an account is true or false.',
    })
  }
  return { ...scanOptions({ scans }), requireEncryption, continuationKeys }
}

/** Only the shape is checked, so that an account without keys does not load a cipher. */
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
 * How much queries may read, checked.
 *
 * @param given - as the caller gave it
 * @param inherited - what holds where that says nothing
 * @throws InputError (`UnknownOption`) for an option that there is not
 * @throws InputError (`InvalidQuery`) for an invalid `ScanPolicy`
 */
export function scanOptions(given: ScanOptions, inherited: ScanOptions = {}): ScanOptions {
  checkOptions(given, ['scans'], 'table of an account')
  const { scans } = given
  if (scans === undefined) return inherited
  checkScanPolicy(scans)
  return { scans }
}
