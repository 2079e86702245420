import { checkScan } from '../compile/compile-query.ts'
import { rangeNodes } from '../compile/range-nodes.ts'
import { RequestGate } from '../concurrency/request-gate.ts'
import { quiet } from '../concurrency/results-in-order.ts'
import { stoppable } from '../concurrency/stoppable.ts'
import { invalidQuery } from '../errors/invalid-query.ts'
import { type ParallelNode, type QueryNode, withChange } from '../node/query-node.ts'
import { beginRun, type QueryRun, runPages } from '../run/run-pages.ts'
import { isRawSource, type QueryOptions, type QueryPage } from '../source/query-source.ts'
import { type KeyedRow, KeyedRows, rowsInKeyOrder } from './rows-in-key-order.ts'

/**
 * Yields the rows of a query that stands for several, which run at once. The limit counts the rows of all
 * of them; when one fails, or the loop is left, all of them end.
 *
 * @param run - the query, its source and its options
 * @param parallel - the queries that it stands for
 * @throws InputError with the code `TableScan` before anything is sent, when one of them would scan the
 * table
 */
export async function* parallelRows<Row, Options extends QueryOptions>(
  run: QueryRun<Row, Options>,
  parallel: ParallelNode,
): AsyncGenerator<readonly Row[], void, undefined> {
  for (const { node } of rangeNodes(run.node)) checkScan(node)
  const { options, stop } = stoppable(beginRun(run).options)
  const shared = { ...run, options }
  const { order, concurrency } = parallel
  const gate = new RequestGate(concurrency)
  try {
    const rows =
      order === 'arrival'
        ? rowsAsTheyArrive(rangeRuns(shared), concurrency)
        : rowsInKeyOrder(keyedRuns(shared, gate), concurrency)
    yield* limitRows(rows, run.node)
  } finally {
    gate.close()
    stop()
  }
}

async function* limitRows<Row>(
  chunks: AsyncIterable<readonly Row[]>,
  { take = Number.POSITIVE_INFINITY }: QueryNode,
): AsyncGenerator<readonly Row[], void, undefined> {
  let remaining = take
  for await (const rows of chunks) {
    yield rows.length > remaining ? rows.slice(0, remaining) : rows
    remaining -= rows.length
    if (remaining <= 0) return
  }
}

function rangeRuns<Row, Options extends QueryOptions>(
  run: QueryRun<Row, Options>,
): readonly QueryRun<Row, Options>[] {
  return rangeNodes(run.node).map(({ node }) => ({ ...run, node }))
}

/** Runs whose rows come with their keys. */
function keyedRuns<Row, Options extends QueryOptions>(
  run: QueryRun<Row, Options>,
  gate: RequestGate,
): readonly KeyedRows<Row>[] {
  const { source } = run
  const { name: model } = run.node.model
  if (!isRawSource(source)) {
    throw invalidQuery(
      `The source of ${model} does not know the keys of its rows, so they cannot be sorted: use order: 'arrival'.`,
      { model },
    )
  }
  const read = (raw: unknown): KeyedRow<Row> => ({ key: source.keyOf(raw), row: run.read(raw) })
  const isUnsorted = source.isUnsorted === true
  return rangeNodes(run.node).map(({ node: ranged, low }) => {
    // The first rows that come are not those with the lowest keys, so a limit must not end the run.
    const node = isUnsorted ? withChange(ranged, { take: undefined }) : ranged
    const { localFilter } = node
    // A local filter tests rows, and here each row comes with its key.
    const keyed = localFilter && ((row: unknown) => localFilter((row as KeyedRow<Row>).row))
    return new KeyedRows(
      { ...run, node: { ...node, ...(keyed && { localFilter: keyed }) }, read },
      { low, gate, isUnsorted },
    )
  })
}

type Pages<Row> = AsyncGenerator<QueryPage<Row>, void, undefined>

/** A page, and the run that it is of. */
interface Arrival<Row> {
  readonly pages: Pages<Row>
  readonly result: IteratorResult<QueryPage<Row>, void>
}

/**
 * Yields the rows of several runs, page by page as they come. It fetches at most one page ahead of each
 * active run.
 *
 * @param runs - each begins when its turn comes
 * @param concurrency - how many run at once
 */
export async function* rowsAsTheyArrive<Row, Options extends QueryOptions>(
  runs: readonly QueryRun<Row, Options>[],
  concurrency: number,
): AsyncGenerator<readonly Row[], void, undefined> {
  const prefetch = runs[0]?.prefetch
  const waiting = runs.values()
  const active = new Map<Pages<Row>, Promise<Arrival<Row>>>()
  const fetchNext = (pages: Pages<Row>) => active.set(pages, quiet(arrivalOf(pages)))
  const beginNext = () => {
    const { value: run } = waiting.next()
    // This function fetches the page ahead itself.
    if (run !== undefined) fetchNext(runPages({ ...run, prefetch: false }))
  }
  for (let begun = 0; begun < concurrency; begun++) beginNext()
  while (active.size > 0) {
    const { pages, result } = await Promise.race(active.values())
    active.delete(pages)
    if (result.done) {
      beginNext()
      continue
    }
    if (prefetch) fetchNext(pages)
    yield result.value.items
    if (!prefetch) fetchNext(pages)
  }
}

async function arrivalOf<Row>(pages: Pages<Row>): Promise<Arrival<Row>> {
  return { pages, result: await pages.next() }
}
