import { checkScan } from '../check-scan.ts'
import { QueryError } from '../errors/query-error.ts'
import type { ParallelNode, QueryNode } from '../query-node.ts'
import type { QueryOptions } from '../query-source.ts'
import { isRawSource } from '../raw-query-source.ts'
import { beginRun, type QueryRun } from '../run/query-run.ts'
import { stoppable } from '../run/stoppable.ts'
import { type KeyedRow, KeyedRows } from './keyed-rows.ts'
import { rangeNodes } from './range-nodes.ts'
import { RequestGate } from './request-gate.ts'
import { rowsAsTheyArrive } from './rows-as-they-arrive.ts'
import { rowsInKeyOrder } from './rows-in-key-order.ts'

/**
 * The rows of a query that stands for several, which are run at once. The limit is one of all of them;
 * when one fails, or the loop is left, all of them end.
 *
 * @param run - the query, and how it is to be run
 * @param parallel - what it stands for
 * @throws {@link TableScanError} before anything is sent, when one of them would scan the table
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

/** Runs whose rows know their keys. */
function keyedRuns<Row, Options extends QueryOptions>(
  run: QueryRun<Row, Options>,
  gate: RequestGate,
): readonly KeyedRows<Row>[] {
  const { source } = run
  if (!isRawSource(source)) throw keyless(run.node)
  const read = (raw: unknown): KeyedRow<Row> => ({ key: source.keyOf(raw), row: run.read(raw) })
  return rangeNodes(run.node).map(({ node, low }) => {
    const { localFilter } = node
    // The filter on this side is of rows, and here a row comes with its key.
    const keyed = localFilter && ((row: unknown) => localFilter((row as KeyedRow<Row>).row))
    return new KeyedRows(
      { ...run, node: { ...node, ...(keyed && { localFilter: keyed }) }, read },
      low,
      gate,
    )
  })
}

function keyless({ model }: QueryNode): QueryError {
  return new QueryError({
    model: model.name,
    message: `The source of ${model.name} does not tell the keys of its rows, so they cannot be put in order: say order: 'arrival'.`,
  })
}
