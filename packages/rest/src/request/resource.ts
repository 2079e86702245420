import type { EntityKey } from '@rowkey/odata'
import type { Endpoint } from '../endpoint/endpoint.ts'

/** An entity of a table. */
export interface EntityAddress {
  /** The name of the table. */
  readonly table: string
  /** The key of the entity. */
  readonly key: EntityKey
}

/**
 * Names what an operation is about: an entity, a table or the account.
 *
 * @param input - the input of the operation
 * @param endpoint - the account
 */
export function resourceOf(input: unknown, { account }: Endpoint): string {
  const { table, key }: Partial<EntityAddress> = Object(input)
  if (table === undefined) return `account ${account}`
  return key === undefined ? `table ${table}` : entityName({ table, key })
}

/**
 * Names an entity as its address does, without escapes.
 *
 * @param entity - its table and its key
 *
 * @example
 * ```ts
 * entityName({ table: 'people', key: { partitionKey: 'Smith', rowKey: 'Jeff' } }) // people(PartitionKey='Smith',RowKey='Jeff')
 * ```
 */
export function entityName({ table, key }: EntityAddress): string {
  return `${table}(PartitionKey='${quoted(key.partitionKey)}',RowKey='${quoted(key.rowKey)}')`
}

function quoted(key: string): string {
  return key.replaceAll("'", "''")
}
