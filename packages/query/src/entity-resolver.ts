import type { DynamicEntity, EntityProperty } from '@rowkey/odata'
import { ResolverError } from './errors/resolver-error.ts'

/**
 * Makes anything of a row: a part of it, or an object of the class that its key tells. It is called
 * once for each row, and what it returns is passed on as it is, `undefined` and `null` too. What it
 * throws ends the run, as the cause of a {@link ResolverError}.
 *
 * @param partitionKey - PartitionKey
 * @param rowKey - RowKey
 * @param timestamp - when the service last wrote the entity, in UTC
 * @param properties - every other property as it is stored, by its stored name, with its type; with
 * `.select`, only those that were selected. What a class encrypts is still encrypted, and no
 * signature was looked at
 * @param etag - the ETag
 *
 * @example
 * ```ts
 * const toCustomerOrOrder: EntityResolver<Customer | Order> = (customer, rowKey, _, properties) => {
 *   if (rowKey.startsWith('0001')) return new Customer(customer, properties.get('name')?.as('String'))
 *   if (rowKey.startsWith('0002')) return new Order(customer, properties.get('total')?.as('Double'))
 *   throw new UnknownKindError(rowKey)
 * }
 * ```
 */
export type EntityResolver<Result> = (
  partitionKey: string,
  rowKey: string,
  timestamp: Date | undefined,
  properties: ReadonlyMap<string, EntityProperty>,
  etag: string | undefined,
) => Result

/**
 * What a resolver makes of a row.
 *
 * @param resolver - the resolver
 * @param entity - the row
 * @param model - what was read, for the message
 * @throws {@link ResolverError} when the resolver throws
 */
export function resolveEntity<Result>(
  resolver: EntityResolver<Result>,
  { partitionKey, rowKey, timestamp, properties, etag }: DynamicEntity,
  model: string,
): Result {
  try {
    return resolver(partitionKey, rowKey, timestamp, properties, etag)
  } catch (cause) {
    throw new ResolverError({ model, partitionKey, rowKey, cause })
  }
}
