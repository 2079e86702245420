import { anything, declareOptions, type OptionRules, trueOrFalse } from '@rowkey/odata'
import { accountSas, type SasKeyRange, type SasOptions, tableSas } from '@rowkey/rest'
import { checkMembers, checkRecord, checkText, invalidArgument } from '../errors/check-arguments.ts'
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
  /** The last PartitionKey; it must not be empty. */
  endPartitionKey?: string
  /** The first RowKey, in the first partition. */
  startRowKey?: string
  /** The last RowKey, in the last partition; it must not be empty. */
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

const timeRules = {
  version: anything,
  protocol: anything,
  startsOn: anything,
  expiresOn: anything,
  ipRange: anything,
}

const tableMembers = declareOptions<TableSasSignatureValues>({
  ...timeRules,
  permissions: anything,
  identifier: anything,
  startPartitionKey: anything,
  startRowKey: anything,
  endPartitionKey: anything,
  endRowKey: anything,
})

const accountMembers = declareOptions<AccountSasOptions>({
  ...timeRules,
  permissions: anything,
  resourceTypes: anything,
  services: anything,
})

const rangeMembers = declareOptions<SasIPRange>({ start: anything, end: anything })

const tableLetters = lettersOf<TableSasPermissions>('permissions', {
  query: 'r',
  add: 'a',
  update: 'u',
  delete: 'd',
})

const accountLetters = lettersOf<AccountSasPermissions>('permissions', {
  query: 'r',
  write: 'w',
  delete: 'd',
  list: 'l',
  add: 'a',
  update: 'u',
})

const serviceLetters = lettersOf<AccountSasServices>('services', {
  blob: 'b',
  queue: 'q',
  table: 't',
  file: 'f',
})

/** Makes a function that turns flags into letters, in the order of the letters. */
function lettersOf<Flags>(
  name: string,
  letters: { readonly [Name in keyof Required<Flags>]: string },
): (flags: Flags) => string {
  const names = Object.keys(letters) as (keyof Flags)[]
  // A misspelled flag would be missing without a word.
  const members = declareOptions<Flags>(
    Object.fromEntries(names.map((flag) => [flag, trueOrFalse])) as OptionRules<Flags>,
  )
  return (flags) => {
    checkMembers(flags, members, `${name} of a SAS`)
    return names
      .filter((flag) => flags[flag])
      .map((flag) => letters[flag])
      .join('')
  }
}

/**
 * Makes a SAS of one table.
 *
 * @param tableName - the table
 * @param credential - the account's name and key
 * @param options - what it allows, and how long
 * @returns the query text of the SAS
 * @throws InputError (`InvalidSas`) when no service would accept it, or when its holder could remove an empty key
 */
export function generateTableSas(
  tableName: string,
  credential: NamedKeyCredential,
  options: TableSasSignatureValues = {},
): string {
  checkMembers(options, tableMembers, 'generateTableSas')
  const { identifier, permissions, expiresOn } = options
  const isOwn = identifier === undefined
  const letters = permissions === undefined && isOwn ? { query: true } : permissions
  return tableSas({
    ...common(credential, options),
    table: tableName,
    // The table may be of either service, and Cosmos DB permits more names.
    flavour: 'cosmos',
    policy: identifier,
    permissions: letters === undefined ? undefined : tableLetters(letters),
    expiry: expiresOn === undefined && isOwn ? inAnHour() : expiresOn,
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
  checkMembers(options, accountMembers, 'generateAccountSas')
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

/** The first version of a SAS that has protocols. */
const FIRST_PROTOCOLS = '2015-04-05'

function common(credential: NamedKeyCredential, options: SasTimes): SasOptions {
  const { version, startsOn, ipRange } = options
  const hasProtocol = version === undefined || version >= FIRST_PROTOCOLS
  const { protocol = hasProtocol ? 'https,http' : undefined } = options
  checkRecord(credential, 'The credential of a SAS')
  const { name: account, key } = credential
  checkText(account, 'The name of the credential of a SAS')
  checkText(key, 'The key of the credential of a SAS')
  return {
    credential: sharedKeyOf(account, key),
    version,
    protocol,
    start: startsOn,
    ips: ipRange === undefined ? undefined : rangeText(ipRange),
  }
}

function rangeText(range: SasIPRange): string {
  checkMembers(range, rangeMembers, 'ipRange of a SAS')
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
