import { type EntityResolver, resolveEntity } from './entity-resolver.ts'
import { QueryError } from './errors/query-error.ts'
import { delegating } from './located-source.ts'
import { type QueryNode, withChange } from './query-node.ts'
import type { QueryOptions } from './query-source.ts'
import { type AnyQuerySource, isRawSource, type RawQuerySource } from './raw-query-source.ts'

/** In the place of a row that a filter on this side dropped before it was resolved. */
const DROPPED = Symbol('a row that is not wanted')

/**
 * The same source, whose rows are what a resolver makes of them. A filter on this side that was said
 * before looks at the rows as they were.
 *
 * @param node - the query so far
 * @param source - where the rows come from
 * @param resolver - makes a row of an entity
 * @throws {@link QueryError} when the source has no entities to resolve, or there is no resolver
 */
export function resolvedSource<Result, Options extends QueryOptions>(
  { model, localFilter }: QueryNode,
  source: AnyQuerySource<unknown, Options>,
  resolver: EntityResolver<Result>,
): RawQuerySource<Result, Options, unknown> {
  checkResolver(resolver, model.name)
  if (!isRawSource(source)) throw unresolvable(model.name)
  return {
    ...delegating(source),
    entityOf: (raw) => source.entityOf(raw),
    readRow(raw, request) {
      const isWanted = localFilter === undefined || localFilter(source.readRow(raw, request))
      // A dropped row goes no further than the filter of `resolvedNode`.
      if (!isWanted) return DROPPED as Result
      return resolveEntity(resolver, source.entityOf(raw), model.name)
    },
  }
}

/** The query over a {@link resolvedSource}. */
export function resolvedNode(node: QueryNode): QueryNode {
  if (node.localFilter === undefined) return withChange(node, { resolved: true })
  return withChange(node, { resolved: true, localFilter: (row) => row !== DROPPED })
}

/**
 * Refuses what is no resolver.
 *
 * @throws {@link QueryError}
 */
export function checkResolver(resolver: unknown, model: string): void {
  if (typeof resolver === 'function') return
  throw new QueryError({
    model,
    message: `The resolver of ${model} is of type ${typeof resolver}: give a function of (partitionKey, rowKey, timestamp, properties, etag).`,
  })
}

function unresolvable(model: string): QueryError {
  return new QueryError({
    model,
    message: `The source of ${model} gives rows as they are, and no entities that could be resolved. Make them of the rows that come.`,
  })
}
