import type { DynamicEntity, EntityProperty } from '@rowkey/odata'
import { queryDecodeError } from '../errors/codes.ts'
import { invalidQuery } from '../errors/query-errors.ts'
import { type QueryNode, withChange } from '../node/query-node.ts'
import {
  type AnyQuerySource,
  fetchingPart,
  isRawSource,
  type QueryOptions,
  type RawQuerySource,
} from './query-source.ts'

/**
 * Maps a row to any value: a part of it, or an object of the class that its key tells. It is called once
 * for each row; `undefined` and `null` are passed on too. What it throws ends the run, as the `cause` of a
 * DecodeError with the code `ResolverFailed` that names the row.
 *
 * @param partitionKey - PartitionKey
 * @param rowKey - RowKey
 * @param timestamp - when the service last wrote the entity, in UTC
 * @param properties - every other property as it is stored, by its stored name, with its type; with
 * `.select`, only the selected ones. Encrypted properties are still encrypted, and signatures are not
 * verified
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
 * Calls a resolver with an entity.
 *
 * @param resolver - the resolver
 * @param entity - the row
 * @param model - the class or table that was read, for the message
 * @param table - the table, where it is known
 * @throws DecodeError with the code `ResolverFailed` when the resolver throws
 */
export function resolveEntity<Result>(
  resolver: EntityResolver<Result>,
  { partitionKey, rowKey, timestamp, properties, etag }: DynamicEntity,
  model: string,
  table?: string,
): Result {
  try {
    return resolver(partitionKey, rowKey, timestamp, properties, etag)
  } catch (cause) {
    const key = JSON.stringify([partitionKey, rowKey])
    const reason = cause instanceof Error ? `: ${cause.message}` : '.'
    throw queryDecodeError({
      code: 'ResolverFailed',
      message: `The resolver threw on the row ${key} of ${model}${reason}`,
      details: { table, partitionKey, rowKey },
      cause,
    })
  }
}

/** Stands for a row that a local filter dropped before it was resolved. */
const DROPPED = Symbol('a row that is not wanted')

/**
 * Makes a source whose rows a resolver makes. An earlier local filter tests the rows as they were.
 *
 * @param node - the query so far
 * @param source - where the rows come from
 * @param resolver - makes a row of an entity
 * @throws InputError with the code `InvalidQuery` when the resolver is not a function, or the source has
 * no entities
 */
export function resolvedSource<Result, Options extends QueryOptions>(
  { model: { name: model }, localFilter }: QueryNode,
  source: AnyQuerySource<unknown, Options>,
  resolver: EntityResolver<Result>,
): RawQuerySource<Result, Options, unknown> {
  if (typeof resolver !== 'function') {
    throw invalidQuery(
      `The resolver of ${model} must be a function of (partitionKey, rowKey, timestamp, properties, etag); got a value of type ${typeof resolver}.`,
      { model },
    )
  }
  if (!isRawSource(source)) {
    throw invalidQuery(
      `.resolve on ${model} needs entities, and its source gives other rows. Map the rows as they come.`,
      { model },
    )
  }
  return {
    ...fetchingPart(source),
    entityOf: (raw) => source.entityOf(raw),
    readRow(raw, request) {
      const isWanted = localFilter === undefined || localFilter(source.readRow(raw, request))
      // A dropped row goes no further than the filter of `resolvedNode`.
      if (!isWanted) return DROPPED as Result
      return resolveEntity(resolver, source.entityOf(raw), model, source.table)
    },
  }
}

/** Returns the query over a {@link resolvedSource}. */
export function resolvedNode(node: QueryNode): QueryNode {
  if (node.localFilter === undefined) return withChange(node, { resolved: true })
  return withChange(node, { resolved: true, localFilter: (row) => row !== DROPPED })
}
