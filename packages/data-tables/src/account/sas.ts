import { accountSas, type SasKeyRange, SharedKeyCredential, tableSas } from '@rowkey/rest'
import type { NamedKeyCredential } from './credentials.ts'

/** Whether a SAS works over http too. */
export type SasProtocol = 'https' | 'https,http'

/** The addresses that may use a SAS. */
export interface SasIPRange {
  /** The first IPv4 address. */
  start: string
  /** The last one; the first when absent. */
  end?: string
}

/** The permissions of a table SAS. */
export interface TableSasPermissions {
  /** Reads. */
  query?: boolean
  /** Inserts. */
  add?: boolean
  /** Updates and merges. */
  update?: boolean
  /** Deletes. */
  delete?: boolean
}

/** The permissions of an account SAS. */
export interface AccountSasPermissions extends TableSasPermissions {
  /** Creates tables. */
  write?: boolean
  /** Lists tables. */
  list?: boolean
}

/** The times and limits of a SAS. */
export interface SasTimes {
  /** The version of the SAS. */
  readonly version?: string | undefined
  /**
   * The protocols.
   *
   * @defaultValue `'https,http'`, as the official client's
   */
  readonly protocol?: SasProtocol | undefined
  /** When it begins; at once when absent. */
  readonly startsOn?: Date | undefined
  /** When it ends; in an hour when absent. */
  readonly expiresOn?: Date | undefined
  /** The addresses that may use it. */
  readonly ipRange?: SasIPRange | undefined
}

/** The options of {@link generateTableSas}. */
export interface TableSasSignatureValues extends SasTimes {
  /** The permissions; reads when absent. */
  readonly permissions?: TableSasPermissions | undefined
  /** The id of a stored access policy. */
  readonly identifier?: string | undefined
  /** The first PartitionKey. */
  readonly startPartitionKey?: string | undefined
  /** The last PartitionKey. */
  readonly endPartitionKey?: string | undefined
  /** The first RowKey, in the first partition. */
  readonly startRowKey?: string | undefined
  /** The last RowKey, in the last partition. */
  readonly endRowKey?: string | undefined
}

/** The options of {@link generateAccountSas}. */
export interface AccountSasOptions extends SasTimes {
  /** The permissions; listing tables when absent. */
  readonly permissions?: AccountSasPermissions | undefined
  /** Its letters: `s` service, `c` tables, `o` entities; all when absent. */
  readonly resourceTypes?: string | undefined
}

const HOUR = 3_600_000

/**
 * Makes a SAS of one table.
 *
 * @param tableName - the table
 * @param credential - the account's name and key
 * @param options - what it allows, and how long
 * @returns the query text of the SAS
 * @throws InputError (`InvalidSas`) when no service would accept it
 */
export function generateTableSas(
  tableName: string,
  credential: NamedKeyCredential,
  options: TableSasSignatureValues = {},
): string {
  const { identifier, permissions, expiresOn } = options
  const isOwn = identifier === undefined
  const letters = permissions ?? (isOwn ? { query: true } : undefined)
  const expiry = expiresOn ?? (isOwn ? new Date(Date.now() + HOUR) : undefined)
  return tableSas({
    ...common(credential, options),
    table: tableName,
    policy: identifier,
    ...(letters === undefined ? {} : { permissions: tableLetters(letters) }),
    ...(expiry === undefined ? {} : { expiry }),
    ...keyRange(options),
  }).token
}

/**
 * Makes a SAS of an account's tables.
 *
 * @param credential - the account's name and key
 * @param options - what it allows, and how long
 * @returns the query text of the SAS
 * @throws InputError (`InvalidSas`) when no service would accept it
 */
export function generateAccountSas(
  credential: NamedKeyCredential,
  options: AccountSasOptions = {},
): string {
  const { permissions = { list: true }, resourceTypes = 'sco', expiresOn } = options
  return accountSas({
    ...common(credential, options),
    permissions: accountLetters(permissions),
    resourceTypes,
    expiry: expiresOn ?? new Date(Date.now() + HOUR),
  }).token
}

function common(credential: NamedKeyCredential, options: SasTimes) {
  const { version, protocol = 'https,http', startsOn, ipRange } = options
  const { name: account, key } = credential
  return {
    credential: new SharedKeyCredential({ account, key }),
    ...(version === undefined ? {} : { version }),
    protocol,
    ...(startsOn === undefined ? {} : { start: startsOn }),
    ...(ipRange === undefined ? {} : { ip: rangeText(ipRange) }),
  }
}

function rangeText({ start, end }: SasIPRange): string {
  return end === undefined ? start : `${start}-${end}`
}

function keyRange(options: TableSasSignatureValues): SasKeyRange {
  const { startPartitionKey, startRowKey, endPartitionKey, endRowKey } = options
  return {
    ...bound('from', startPartitionKey, startRowKey),
    ...bound('to', endPartitionKey, endRowKey),
  }
}

function bound(name: 'from' | 'to', partitionKey?: string, rowKey?: string): SasKeyRange {
  if (partitionKey === undefined) return {}
  return { [name]: { partitionKey, ...(rowKey === undefined ? {} : { rowKey }) } }
}

function tableLetters({ query, add, update, delete: deletes }: TableSasPermissions): string {
  return [query && 'r', add && 'a', update && 'u', deletes && 'd'].filter(Boolean).join('')
}

function accountLetters(permissions: AccountSasPermissions): string {
  const { query, write, delete: deletes, list, add, update } = permissions
  const letters = [
    query && 'r',
    write && 'w',
    deletes && 'd',
    list && 'l',
    add && 'a',
    update && 'u',
  ]
  return letters.filter(Boolean).join('')
}
