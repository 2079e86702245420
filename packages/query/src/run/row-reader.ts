import { DecodeError, type DynamicEntity, describeKind, unreadableRow } from '@rowkey/odata'
import type { QueryErrorCode } from '../errors/codes.ts'
import { invalidQuery } from '../errors/invalid-query.ts'
import type { QueryModel } from '../model/query-model.ts'
import type { BadRowPolicy, EntityResolver, QueryNode, RowPredicate } from '../node/query-node.ts'
import { filterTest } from '../node/row-test.ts'
import {
  isRawSource,
  type QueryOptions,
  type QueryRun,
  type RawQuerySource,
  type RowReading,
  type RowRequest,
} from '../source/query-source.ts'

/**
 * Returns what reads the rows of a run from what its source fetches, and what tests them. A row that cannot be read throws
 * a DecodeError that names the table and the key.
 *
 * @param run - the query, which may have a resolver, and its source
 */
export function rowReading<Row, Options extends QueryOptions>({
  node,
  source,
  reading,
}: QueryRun<Row, Options>): RowReading<Row> {
  if (reading !== undefined) return reading
  // Any other source fetches rows that need no reading.
  if (!isRawSource(source)) return { read: (row) => row as Row, isWanted: rowTest(node) }
  const request = Object.freeze({ projected: node.select !== undefined })
  // The source has the rows of the query, or its resolver makes them.
  return readingOf(node, source, request) as RowReading<Row>
}

function readingOf<Options extends QueryOptions>(
  node: QueryNode,
  source: RawQuerySource<unknown, Options, unknown>,
  request: RowRequest,
): RowReading<unknown> {
  const { resolved } = node
  const isWanted = rowTest(node)
  if (resolved !== undefined) {
    const earlier = resolved.before.localTests && readingOf(resolved.before, source, request)
    return {
      read(raw) {
        if (earlier?.isWanted(earlier.read(raw)) === false) return DROPPED
        const entity = locating(source, raw, () => source.entityOf(raw))
        return resolveEntity(resolved.resolver, entity, node.model.name, source.table)
      },
      isWanted: (row) => row !== DROPPED && isWanted(row),
    }
  }
  return {
    read(raw) {
      try {
        return source.readRow(raw, request)
      } catch (thrown) {
        throw unreadable(source, raw, thrown)
      }
    },
    isWanted,
  }
}

/** Makes the test that is true of a row that passes all local tests of a query. */
function rowTest({ model, localTests }: QueryNode): RowPredicate {
  if (localTests === undefined) return () => true
  const tests = localTests.map((test) =>
    typeof test === 'function' ? checkedTest(model, test) : filterTest(model, test),
  )
  return (row) => tests.every((test) => test(row))
}

function checkedTest({ name: model }: QueryModel, test: RowPredicate): RowPredicate {
  return (row) => {
    const wanted: unknown = test(row)
    if (typeof wanted === 'boolean') return wanted
    throw invalidQuery(
      `The function of .filterLocally on ${model} returned ${describeKind(wanted)}: it must return true or false, and cannot be async.`,
      { model },
    )
  }
}

/** Stands for a row that a local test dropped before it was resolved. */
const DROPPED = Symbol('a row that is not wanted')

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
    throw new DecodeError({
      code: 'ResolverFailed' satisfies QueryErrorCode,
      message: `The resolver threw on the row ${key} of ${model}${reason}`,
      details: { table, partitionKey, rowKey },
      cause,
    })
  }
}

/**
 * Applies the policy to what reading a row threw.
 *
 * @param policy - what the query says; `undefined` is `'throw'`
 * @param thrown - what reading the row threw
 * @throws what was thrown, unless it is a DecodeError and the policy says otherwise
 */
export async function passOver(policy: BadRowPolicy | undefined, thrown: unknown): Promise<void> {
  if (policy === undefined || policy === 'throw' || !(thrown instanceof DecodeError)) throw thrown
  if (policy !== 'skip') await policy(thrown)
}

function locating<Row, Options extends QueryOptions, Result>(
  source: RawQuerySource<Row, Options, unknown>,
  raw: unknown,
  read: () => Result,
): Result {
  try {
    return read()
  } catch (thrown) {
    throw unreadable(source, raw, thrown)
  }
}

function unreadable<Row, Options extends QueryOptions>(
  source: RawQuerySource<Row, Options, unknown>,
  raw: unknown,
  thrown: unknown,
): DecodeError {
  return unreadableRow(thrown, { table: source.table, ...source.keyOf(raw) })
}
