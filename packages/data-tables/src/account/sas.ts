import { accountSas, type SasKeyRange, tableSas } from '@rowkey/rest'
import {
  checkMembers,
  checkRecord,
  checkText,
  checkTypes,
  invalidArgument,
} from '../errors/check-arguments.ts'
import { type NamedKeyCredential, sharedKeyOf } from './credentials.ts'

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

/** The services of an account SAS. */
export interface AccountSasServices {
  /** Blobs. */
  blob?: boolean
  /** Files. */
  file?: boolean
  /** Queues. */
  queue?: boolean
  /** Tables. */
  table?: boolean
}

/** The times and limits of a SAS. */
export interface SasTimes {
  /** The version of the SAS. */
  version?: string
  /**
   * The protocols.
   *
   * @defaultValue `'https,http'`, as the official client's
   */
  protocol?: SasProtocol
  /** When it begins; at once when absent. */
  startsOn?: Date
  /** When it ends; in an hour when absent. */
  expiresOn?: Date
  /** The addresses that may use it. */
  ipRange?: SasIPRange
}

/** The options of {@link generateTableSas}. */
export interface TableSasSignatureValues extends SasTimes {
  /** The permissions; reads when absent. */
  permissions?: TableSasPermissions
  /** The id of a stored access policy. */
  identifier?: string
  /** The first PartitionKey. */
  startPartitionKey?: string
  /** The last PartitionKey. */
  endPartitionKey?: string
  /** The first RowKey, in the first partition. */
  startRowKey?: string
  /** The last RowKey, in the last partition. */
  endRowKey?: string
}

/** The options of {@link generateAccountSas}. */
export interface AccountSasOptions extends SasTimes {
  /** The permissions; reading rows and listing tables when absent. */
  permissions?: AccountSasPermissions
  /** Its letters: `s` service, `c` tables, `o` entities; all when absent. */
  resourceTypes?: string
  /** The services; tables when absent, and always needed. */
  services?: AccountSasServices
}

const HOUR = 3_600_000

const inAnHour = () => new Date(Date.now() + HOUR)

const TIME_NAMES = ['version', 'protocol', 'startsOn', 'expiresOn', 'ipRange']
const TABLE_SAS_NAMES = [
  ...TIME_NAMES,
  ...['permissions', 'identifier'],
  ...['startPartitionKey', 'startRowKey', 'endPartitionKey', 'endRowKey'],
]
const ACCOUNT_SAS_NAMES = [...TIME_NAMES, 'permissions', 'resourceTypes', 'services']
const TABLE_PERMISSIONS = ['query', 'add', 'update', 'delete']
const ACCOUNT_PERMISSIONS = [...TABLE_PERMISSIONS, 'write', 'list']
const SERVICES = ['blob', 'queue', 'table', 'file'] as const

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
  checkMembers(options, TABLE_SAS_NAMES, 'generateTableSas')
  const { identifier, permissions, expiresOn } = options
  const isOwn = identifier === undefined
  const letters = permissions === undefined && isOwn ? { query: true } : permissions
  const expiry = expiresOn === undefined && isOwn ? inAnHour() : expiresOn
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
  checkMembers(options, ACCOUNT_SAS_NAMES, 'generateAccountSas')
  const { permissions = { query: true, list: true }, resourceTypes = 'sco' } = options
  const { services = { table: true }, expiresOn = inAnHour() } = options
  return accountSas({
    ...common(credential, options),
    permissions: accountLetters(permissions),
    resourceTypes,
    services: serviceLetters(services),
    expiry: expiresOn,
  }).token
}

function common(credential: NamedKeyCredential, options: SasTimes) {
  const { version, protocol = 'https,http', startsOn, ipRange } = options
  checkRecord(credential, 'The credential of a SAS')
  const { name: account, key } = credential
  checkText(account, 'The name of the credential of a SAS')
  checkText(key, 'The key of the credential of a SAS')
  return {
    credential: sharedKeyOf(account, key),
    ...(version === undefined ? {} : { version }),
    protocol,
    ...(startsOn === undefined ? {} : { start: startsOn }),
    ...(ipRange === undefined ? {} : { ip: rangeText(ipRange) }),
  }
}

function rangeText(range: SasIPRange): string {
  checkMembers(range, ['start', 'end'], 'ipRange of a SAS')
  const { start, end } = range
  checkText(start, 'start of ipRange of a SAS')
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
  if (partitionKey === undefined) {
    if (rowKey === undefined) return {}
    throw invalidArgument(
      `A SAS with ${name === 'from' ? 'startRowKey' : 'endRowKey'} needs ${name === 'from' ? 'startPartitionKey' : 'endPartitionKey'}, too. Without it, it would allow other rows.`,
    )
  }
  return { [name]: { partitionKey, ...(rowKey === undefined ? {} : { rowKey }) } }
}

function tableLetters(permissions: TableSasPermissions): string {
  checkPermissions(permissions, TABLE_PERMISSIONS)
  const { query, add, update, delete: deletes } = permissions
  return [query && 'r', add && 'a', update && 'u', deletes && 'd'].filter(Boolean).join('')
}

/** A misspelled permission would be missing without a word. */
function checkPermissions(permissions: object, names: readonly string[]): void {
  checkMembers(permissions, names, 'permissions of a SAS')
  checkTypes(permissions, names, 'boolean', 'permissions of a SAS')
}

function accountLetters(permissions: AccountSasPermissions): string {
  checkPermissions(permissions, ACCOUNT_PERMISSIONS)
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

function serviceLetters(services: NonNullable<AccountSasOptions['services']>): string {
  checkMembers(services, SERVICES, 'services of a SAS')
  checkTypes(services, SERVICES, 'boolean', 'services of a SAS')
  return SERVICES.filter((name) => services[name] === true)
    .map(([letter]) => letter)
    .join('')
}
