import {
  checkEntityKey,
  checkKeyText,
  type EntityKey,
  InputError,
  isWellFormed,
  type KeyCheck,
} from '@rowkey/odata'
import { isChecked } from '../endpoint/checks.ts'
import type { Endpoint, Flavour } from '../endpoint/endpoint.ts'
import { restInputError } from '../errors/codes.ts'

/** A table, by its name. */
export interface TableAddress {
  /** The table's name. */
  readonly table: string
}

/**
 * Returns a text that is the same for all names of one table: only on Cosmos DB, names that differ in their case are those of two tables.
 *
 * @param table - the table's name
 * @param endpoint - its account
 *
 * @example
 * ```ts
 * tableIdOf('People', { flavour: 'storage' }) // 'people'
 * ```
 */
export function tableIdOf(table: string, { flavour }: Pick<Endpoint, 'flavour'>): string {
  return flavour === 'cosmos' ? table : table.toLowerCase()
}

/** The rule for names of tables, as a pattern and in words. */
interface TableNameRule {
  readonly isValid: (name: string) => boolean
  readonly words: string
}

const STORAGE_NAME = /^[A-Za-z][A-Za-z0-9]{2,62}$/
/** Tables that storage analytics makes; they can be read. */
const METRICS_NAME = /^\$Metrics[A-Za-z]{1,55}$/
const COSMOS_NAME = /^[^/\\#?]{0,254}[^/\\#? ]$/

const RULES: { readonly [Kind in Flavour]: TableNameRule } = {
  storage: {
    isValid: (name) =>
      (STORAGE_NAME.test(name) && name.toLowerCase() !== 'tables') || METRICS_NAME.test(name),
    words: 'It must be a letter and then 2 to 62 letters and digits, and not "tables".',
  },
  cosmos: {
    isValid: (name) =>
      COSMOS_NAME.test(name) && !PROTOCOL_NAMES.includes(name) && isWellFormed(name),
    words:
      'On Cosmos DB it must have 1 to 255 characters, without / \\ # ? and without a blank at the end, and not be "Tables".',
  },
}

/** Paths with a meaning of their own, which therefore cannot address a table. */
const PROTOCOL_NAMES: readonly string[] = ['Tables', '$batch', '.', '..']

const LONGEST_SHOWN = 64

/**
 * Rejects an invalid table name. In Table storage it must be a letter, then 2 to 62 letters and digits, and
 * not `tables`, or the name of a table of storage analytics, such as `$MetricsCapacityBlob`. The service stores the case, but two names of an account must differ in more than case. On
 * Cosmos DB it has 1 to 255 characters, without `/ \ # ?` and without a blank at the end; names that differ
 * only in case are two tables.
 *
 * @param name - the table's name
 * @param flavour - the kind of service
 * @defaultValue `'storage'` for `flavour`
 * @throws `InputError` (`InvalidTableName`)
 * @see https://learn.microsoft.com/rest/api/storageservices/understanding-the-table-service-data-model
 *
 * @example
 * ```ts
 * checkTableName('people')
 * checkTableName('my-people') // throws: no dashes
 * ```
 */
export function checkTableName(
  name: unknown,
  flavour: Flavour = 'storage',
): asserts name is string {
  const { isValid, words } = RULES[flavour]
  if (typeof name === 'string' && isValid(name)) return
  throw restInputError({
    code: 'InvalidTableName',
    message: `${shown(name)} is not a valid table name. ${words}`,
  })
}

function shown(name: unknown): string {
  if (typeof name === 'string') return JSON.stringify(name.slice(0, LONGEST_SHOWN))
  return name === undefined || name === null ? String(name) : `A value of type ${typeof name}`
}

/**
 * Builds the path of all entities of a table: `/people`.
 *
 * @param endpoint - the account
 * @param table - the table's name
 * @throws `InputError` (`InvalidTableName`)
 */
export function entitySetPath(endpoint: Endpoint, table: string): string {
  return `${endpoint.basePath}/${tableSegment(endpoint, table)}`
}

const PLAIN_NAME = /^[A-Za-z0-9_-]+$/

/**
 * Checks a table's name and returns it as a segment of a path, escaped where it has to be, so that it
 * cannot be anything but a name.
 *
 * @param endpoint - the account
 * @param table - the table's name
 * @throws `InputError` (`InvalidTableName`)
 */
export function tableSegment(endpoint: Endpoint, table: string): string {
  const isLeft = typeof table === 'string' && table !== '' && !isChecked(endpoint, 'tableNames')
  if (!isLeft || !isWellFormed(table)) checkTableName(table, endpoint.flavour)
  return PLAIN_NAME.test(table) ? table : escapeName(table)
}

/** A name with parentheses could otherwise address an entity. */
function escapeName(table: string): string {
  const escaped = encodeURIComponent(table.replaceAll("'", "''"))
  return escaped.replace(/[()]/g, (character) => (character === '(' ? '%28' : '%29'))
}

/**
 * Builds the path of one entity: `/people(PartitionKey='Smith',RowKey='Jeff')`. Each key is escaped
 * exactly once.
 *
 * @param endpoint - the account
 * @param table - the table's name
 * @param key - PartitionKey and RowKey
 * @throws `InputError` (`InvalidTableName` or `InvalidEntityKey`)
 */
export function entityPath(endpoint: Endpoint, table: string, key: EntityKey): string {
  const segment = tableSegment(endpoint, table)
  keyCheckOf(endpoint)(key)
  const partitionKey = escapeKey(key.partitionKey)
  const rowKey = escapeKey(key.rowKey)
  return `${endpoint.basePath}/${segment}(PartitionKey='${partitionKey}',RowKey='${rowKey}')`
}

const SAFE = /^[A-Za-z0-9_.~-]*$/

/** Writes a key as an OData string literal, percent-encoded; most keys need no escape. */
function escapeKey(key: string): string {
  return SAFE.test(key) ? key : encodeURIComponent(key.replaceAll("'", "''"))
}

/**
 * Percent-encodes the value of a query option, and its quotes, too: some proxies fail on quotes.
 *
 * @param name - the option, for the message
 * @param value - its value
 * @throws `InputError` (`InvalidQueryOption`) for a lone surrogate
 */
export function escapeOption(name: string, value: string): string {
  try {
    return encodeURIComponent(value).replaceAll("'", '%27')
  } catch (cause) {
    throw restInputError({
      code: 'InvalidQueryOption',
      message: `${name} contains a lone surrogate, which UTF-8 cannot encode. Remove it.`,
      cause,
    })
  }
}

const MOST_ROW_KEY_BYTES = 255
const MOST_BYTES_PER_UNIT = 3

/**
 * Rejects a key that Cosmos DB cannot store. Beside the rules of Table storage, neither half may be
 * empty, and a RowKey has at most 255 bytes as UTF-8.
 *
 * @param key - PartitionKey and RowKey
 * @throws `InputError` (`InvalidEntityKey`)
 */
function checkCosmosKey(key: EntityKey): void {
  checkEntityKey(key)
  const { partitionKey, rowKey } = key
  if (partitionKey === '') throw emptyKey('PartitionKey')
  if (rowKey === '') throw emptyKey('RowKey')
  if (rowKey.length * MOST_BYTES_PER_UNIT <= MOST_ROW_KEY_BYTES) return
  const bytes = new TextEncoder().encode(rowKey).length
  if (bytes > MOST_ROW_KEY_BYTES) {
    throw invalidKey(
      'RowKey',
      `has ${bytes} bytes as UTF-8, but at most ${MOST_ROW_KEY_BYTES} are allowed on Cosmos DB. Shorten it.`,
    )
  }
}

type KeyName = 'PartitionKey' | 'RowKey'

function emptyKey(property: KeyName): InputError {
  return invalidKey(
    property,
    'must not be empty on Cosmos DB. Use a fixed text, such as "-", where a key has no value.',
  )
}

function invalidKey(property: KeyName, fault: string): InputError {
  return new InputError({
    code: 'InvalidEntityKey',
    message: `${property} ${fault}`,
    details: { property },
  })
}

/**
 * Returns the check of an account's keys: the rules of the service, or, if only the service checks
 * them, whether a request can carry the keys.
 *
 * @param endpoint - the account
 */
export function keyCheckOf(endpoint: Endpoint): KeyCheck {
  if (!isChecked(endpoint, 'keys')) return checkKeyText
  return endpoint.flavour === 'cosmos' ? checkCosmosKey : checkEntityKey
}
