import { checkEntityKey, type EntityKey, isRowkeyError } from '@rowkey/odata'
import { compileQuery } from '../compile/compile-query.ts'
import { pointKeysOf } from '../compile/query-plan.ts'
import { DEFAULT_CONCURRENCY, resultsInOrder } from '../concurrency/results-in-order.ts'
import { passOver } from '../node/bad-row-policy.ts'
import type { QueryNode } from '../node/query-node.ts'
import {
  type AnyQuerySource,
  isRawSource,
  type QueryOptions,
  type RawQuerySource,
} from '../source/query-source.ts'
import type { QueryRun } from './query-run.ts'

/** A query that reads some entities by their keys. */
export interface PointReads<Options extends QueryOptions> {
  /** The keys, in order, each once. */
  readonly keys: readonly EntityKey[]
  /** The source, which reads by key. */
  readonly source: RawQuerySource<unknown, Options, unknown>
}

/**
 * Finds the entities that a query names by their whole keys, where the source can read them one by one.
 *
 * @returns `undefined` when the query is to be sent as it is
 */
export function pointReadsIn<Options extends QueryOptions>(
  node: QueryNode,
  source: AnyQuerySource<unknown, Options>,
): PointReads<Options> | undefined {
  if (!isRawSource(source)) return undefined
  const keys = pointKeysOf(node)
  return keys && { keys, source }
}

/** Reads the rows of that query, in the order of their keys; entities that do not exist are left out. */
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

/** No entity has a key that the service rejects. */
function isStorable(key: EntityKey): boolean {
  try {
    checkEntityKey(key)
    return true
  } catch (error) {
    if (isRowkeyError(error)) return false
    throw error
  }
}
