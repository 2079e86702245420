import { checkEntityKey, type EntityKey } from '@rowkey/odata'
import { resultsInOrder } from '../concurrency/results-in-order.ts'
import { invalidQuery } from '../errors/invalid-query.ts'
import { NoRowError } from '../errors/no-row-error.ts'
import { isStorable } from '../key/is-storable.ts'
import {
  compileQuery,
  inListedPartitions,
  pointKeysOf,
  type QueryNode,
  withChange,
} from '../node/query-node.ts'
import { parallelRows } from '../parallel/parallel-rows.ts'
import { rowReading } from '../run/row-reader.ts'
import { checkScan, type PlacePrinter, readRows, runPages } from '../run/run-pages.ts'
import {
  isRawSource,
  type QueryOptions,
  type QueryRun,
  type RawQuerySource,
  type RowReading,
} from '../source/query-source.ts'
import { placePrinter } from './query-pages.ts'

/**
 * Yields the rows of a query, as many at a time as came together. It runs one query, several at once, or
 * one read per entity when the query names entities by their whole keys.
 *
 * @param run - the query, its source and its options
 * @param placeOf - absent for a caller who loses the rows when the run fails
 * @throws InputError with the code `TableScan` before anything is sent, when the query would scan the table
 */
export async function* queryRows<Row, Options extends QueryOptions>(
  run: QueryRun<Row, Options>,
  placeOf?: PlacePrinter,
): AsyncGenerator<readonly Row[], void, undefined> {
  const { node, source } = run
  if (node.parallel !== undefined) {
    yield* parallelRows(run, node.parallel)
    return
  }
  const keys = pointKeysOf(node)
  if (keys !== undefined && isRawSource(source)) {
    yield* pointRows(run, source, keys)
    return
  }
  const listed = inListedPartitions(node)
  if (listed.parallel !== undefined) {
    yield* parallelRows({ ...run, node: listed }, listed.parallel)
    return
  }
  checkScan(node)
  for await (const { items } of runPages(run, undefined, placeOf)) yield items
}

/** Yields the rows of a query as `queryRows` does, to a caller who keeps the rows when the run fails. */
export function streamedRows<Row, Options extends QueryOptions>(
  run: QueryRun<Row, Options>,
): AsyncGenerator<readonly Row[], void, undefined> {
  return queryRows(run, placePrinter(run))
}

/** Collects the rows of a run. */
export async function allRows<Row, Options extends QueryOptions>(
  run: QueryRun<Row, Options>,
): Promise<Row[]> {
  const all: Row[] = []
  for await (const rows of queryRows(run)) {
    for (const row of rows) all.push(row)
  }
  return all
}

/**
 * Reads the first row of a run.
 *
 * @throws NoRowError without a match
 */
export async function firstRow<Row, Options extends QueryOptions>(
  run: QueryRun<Row, Options>,
): Promise<Row> {
  for (const row of await firstRows(run)) return row
  throw noRow(run.node)
}

/** Reads the first row of a run; the result is empty without a match. */
export async function firstRows<Row, Options extends QueryOptions>(
  run: QueryRun<Row, Options>,
): Promise<readonly Row[]> {
  const one = { ...run, node: withChange(run.node, { take: 1 }) }
  for await (const rows of queryRows(one)) if (rows.length > 0) return rows
  return []
}

/** Makes the error of a query without a first row. */
export function noRow(node: QueryNode): NoRowError {
  const { name: model } = node.model
  // Several queries have a filter each.
  const filter = node.parallel === undefined ? compileQuery(node).filter : undefined
  return new NoRowError({
    model,
    filter,
    message: `The query on ${model} has no first row. ${whyNoRow(node, filter)} Use .firstOrUndefined() where there may be no row.`,
  })
}

function whyNoRow({ localTests, parallel }: QueryNode, filter: string | undefined): string {
  const matched = filter === undefined ? '' : ` that match: ${filter}`
  if (parallel !== undefined) return `All of its ${parallel.ranges.length} queries are empty.`
  if (localTests !== undefined) return `.filterLocally drops all rows${matched}.`
  return filter === undefined ? 'The table is empty.' : `No row matches: ${filter}.`
}

/** What counting a row reads. Of several queries, only whole keys tell a row that is in two of them. */
const COUNTED = Object.freeze(['PartitionKey'])
const COUNTED_ONCE = Object.freeze(['PartitionKey', 'RowKey'])

/** Counts the rows of a run. It selects as little as it can, and reads no row. */
export async function countRows<Options extends QueryOptions>(
  run: QueryRun<unknown, Options>,
): Promise<number> {
  let count = 0
  for await (const rows of queryRows(countedRun(run))) count += rows.length
  return count
}

function countedRun<Options extends QueryOptions>(
  run: QueryRun<unknown, Options>,
): QueryRun<unknown, Options> {
  const { node } = run
  // Local tests get the rows as they are.
  if (node.localTests !== undefined) return run
  return unreadRun(run, inListedPartitions(node).parallel === undefined ? COUNTED : COUNTED_ONCE)
}

/**
 * Yields the rows of a run as its source fetched them. They are not read, so rows that the model cannot read come too.
 *
 * @param run - the query, its source and its options
 * @param call - the method that the caller called, for the message
 * @param select - the stored names to read; `undefined` for those of the query
 * @throws InputError with the code `InvalidQuery` when local tests would have to read the rows
 */
export function fetchedRows<Options extends QueryOptions>(
  run: QueryRun<unknown, Options>,
  call: string,
  select: readonly string[] | undefined,
): AsyncGenerator<readonly unknown[], void, undefined> {
  const { model, localTests } = run.node
  if (localTests === undefined) return queryRows(unreadRun(run, select))
  throw invalidQuery(
    `.${call} on ${model.name} does not read rows, so .filterLocally cannot test them. Put the condition into .where, or read the rows and write them with bulk().`,
    { model: model.name },
  )
}

function unreadRun<Options extends QueryOptions>(
  run: QueryRun<unknown, Options>,
  select = run.node.select,
): QueryRun<unknown, Options> {
  return { ...run, node: withChange(run.node, { select }), reading: AS_FETCHED }
}

const AS_FETCHED: RowReading<unknown> = { read: (raw) => raw, isWanted: () => true }

/**
 * Reads the entities that a query names by their whole keys, one by one and in the order of their keys; those that
 * do not exist are left out.
 */
async function* pointRows<Row, Options extends QueryOptions>(
  run: QueryRun<Row, Options>,
  source: RawQuerySource<unknown, Options, unknown>,
  keys: readonly EntityKey[],
): AsyncGenerator<readonly Row[], void, undefined> {
  const { node, options } = run
  const reading = { node, ...rowReading(run) }
  const query = compileQuery(node)
  let remaining = node.take ?? Number.POSITIVE_INFINITY
  const find = (key: EntityKey, signal: AbortSignal, onThrottled: () => void) => {
    const each = { ...options, signal }
    return source.findRow(key, query, source.observed?.(each, onThrottled) ?? each)
  }
  const { level, checkKey = checkEntityKey } = source
  const storable = keys.filter((key) => isStorable(key, checkKey))
  const how = { level, most: remaining, partitionOf, signal: options.signal }
  for await (const raw of resultsInOrder(storable, find, how)) {
    if (raw === undefined) continue
    const { items } = await readRows(reading, [raw], 0, remaining)
    if (items.length === 0) continue
    yield items
    remaining -= items.length
    if (remaining === 0) return
  }
}

const partitionOf = ({ partitionKey }: EntityKey): string => partitionKey
