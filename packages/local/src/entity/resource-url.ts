import type { EntityKey } from '@rowkey/odata'

/**
 * Prints an entity's address below the account: table and key, percent-encoded as the service does
 * it.
 */
export function printEntityPath(table: string, key: EntityKey): string {
  return `${table}(PartitionKey=${printKeyLiteral(key.partitionKey)},RowKey=${printKeyLiteral(key.rowKey)})`
}

/** Prints a table's address below the account. */
export function printTablePath(table: string): string {
  return `Tables('${table}')`
}

/** Doubles quotes and leaves them unencoded; encodes everything else that a path cannot contain. */
function printKeyLiteral(text: string): string {
  return `'${encodeURIComponent(text).replaceAll("'", "''")}'`
}
