import { checkEntityKey, checkKeyText, type EntityKey, type KeyCheck } from '@rowkey/odata'
import { isChecked } from '../endpoint/checks.ts'
import type { Endpoint } from '../endpoint/endpoint.ts'
import { tableSegment } from './table-path.ts'

/**
 * The path of one entity: `/people(PartitionKey='Smith',RowKey='Jeff')`, in which each key is
 * escaped exactly once.
 *
 * @param endpoint - the account
 * @param table - the table's name
 * @param key - PartitionKey and RowKey
 * @throws {@link InputError} (`InvalidTableName`) or an EntityKeyError
 */
export function entityPath(endpoint: Endpoint, table: string, key: EntityKey): string {
  const segment = tableSegment(endpoint, table)
  keyCheckOf(endpoint)(key)
  const partitionKey = escapeKey(key.partitionKey)
  const rowKey = escapeKey(key.rowKey)
  return `${endpoint.basePath}/${segment}(PartitionKey='${partitionKey}',RowKey='${rowKey}')`
}

const SAFE = /^[A-Za-z0-9_.~-]*$/

/** A key as an OData string literal, percent-encoded; most keys are as they are. */
function escapeKey(key: string): string {
  return SAFE.test(key) ? key : encodeURIComponent(key.replaceAll("'", "''"))
}

/**
 * What an account's keys are checked by before anything is sent: the rules of the service, or, where
 * these are left to it, only that a request can carry them.
 *
 * @param endpoint - the account
 */
export function keyCheckOf(endpoint: Endpoint): KeyCheck {
  return isChecked(endpoint, 'keys') ? checkEntityKey : checkKeyText
}
