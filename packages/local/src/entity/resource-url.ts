import type { EntityKey } from '@rowkey/odata'

/** An entity's address below the account: table and key, percent-encoded as the service does it. */
export function printEntityPath(table: string, key: EntityKey): string {
  return `${table}(PartitionKey=${printKeyLiteral(key.partitionKey)},RowKey=${printKeyLiteral(key.rowKey)})`
}

/** A table's address below the account. */
export function printTablePath(table: string): string {
  return `Tables('${table}')`
}

/** Quotes are doubled and stay as they are; everything else that a path cannot hold is encoded. */
function printKeyLiteral(text: string): string {
  return `'${encodeURIComponent(text).replaceAll("'", "''")}'`
}
