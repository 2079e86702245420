import {
  checkEntityKey,
  checkKeyText,
  type EntityKey,
  InputError,
  type KeyCheck,
} from '@rowkey/odata'
import { isChecked } from '../endpoint/checks.ts'
import type { Endpoint } from '../endpoint/endpoint.ts'
import { tableSegment } from './table-path.ts'

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
