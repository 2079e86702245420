import { checkEntityKey, checkKeyText, type EntityKey, type KeyCheck } from '@rowkey/odata'
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

/**
 * Returns the check of an account's keys: the rules of the service, or, if only the service checks
 * them, whether a request can carry the keys.
 *
 * @param endpoint - the account
 */
export function keyCheckOf(endpoint: Endpoint): KeyCheck {
  return isChecked(endpoint, 'keys') ? checkEntityKey : checkKeyText
}
