import { checkEntityKey, type EntityKey, isRowkeyError, pointReadsOf } from '@rowkey/odata'
import { passOver } from '../bad-row.ts'
import { compileQuery } from '../compile-query.ts'
import { loweredFilter } from '../key/lowered-filter.ts'
import { planClassOf } from '../plan-class.ts'
import type { QueryNode } from '../query-node.ts'
import type { QueryOptions } from '../query-source.ts'
import { type AnyQuerySource, isRawSource, type RawQuerySource } from '../raw-query-source.ts'
import type { QueryRun } from './query-run.ts'
import { DEFAULT_CONCURRENCY, resultsInOrder } from './results-in-order.ts'

/** A query that is answered by reading some entities by their keys. */
export interface PointReads<Options extends QueryOptions> {
  /** The keys, in order, each once. */
  readonly keys: readonly EntityKey[]
  /** What reads by key. */
  readonly source: RawQuerySource<unknown, Options, unknown>
}

/**
 * The entities that a query names by their whole keys, when the source can read them one by one: the
 * service would scan a partition, or the table, for the `or` between them.
 *
 * @returns `undefined` when the query is to be asked as it is
 */
export function pointReadsIn<Options extends QueryOptions>(
  node: QueryNode,
  source: AnyQuerySource<unknown, Options>,
): PointReads<Options> | undefined {
  if (!isRawSource(source)) return undefined
  const filter = loweredFilter(node)
  // The service finds a single entity by itself, when nothing but its key is said.
  if (planClassOf(filter) === 'point') return undefined
  const keys = pointReadsOf(filter)
  return keys && { keys, source }
}

/** The rows of such a query, in the order of their keys; an entity that is not there has none. */
export async function* pointRows<Row, Options extends QueryOptions>(
  { node, options, read }: QueryRun<Row, Options>,
  { keys, source }: PointReads<Options>,
): AsyncGenerator<readonly Row[], void, undefined> {
  const query = compileQuery(node)
  const limit = node.take ?? Number.POSITIVE_INFINITY
  const find = (key: EntityKey, signal: AbortSignal) =>
    source.findRow(key, query, { ...options, signal })
  const how = { concurrency: Math.min(limit, DEFAULT_CONCURRENCY), signal: options.signal }
  let count = 0
  for await (const raw of resultsInOrder(keys.filter(isStorable), find, how)) {
    if (raw === undefined) continue
    let row: Row
    try {
      row = read(raw)
    } catch (thrown) {
      await passOver(node.onBadRow, thrown)
      continue
    }
    if (node.localFilter?.(row) === false) continue
    yield [row]
    if (++count >= limit) return
  }
}

/** A key that nobody could have stored is one of no entity. */
function isStorable(key: EntityKey): boolean {
  try {
    checkEntityKey(key)
    return true
  } catch (error) {
    if (isRowkeyError(error)) return false
    throw error
  }
}
