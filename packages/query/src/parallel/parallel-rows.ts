import { quiet, stoppable } from '../concurrency/results-in-order.ts'
import {
  type ParallelNode,
  type QueryNode,
  type RangeNode,
  rangeNodes,
} from '../node/query-node.ts'
import { checkScan } from '../run/run-pages.ts'
import type { QueryOptions, QueryRun } from '../source/query-source.ts'
import { keyedRuns, rowsInKeyOrder } from './keyed-rows.ts'
import { type ParallelSchedule, RangePages, scheduleOf } from './range-pages.ts'

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
  const ranges = rangeNodes(run.node)
  for (const { node } of ranges) checkScan(node)
  const { options, stop } = stoppable(run.options)
  const shared = { ...run, options }
  const { order } = parallel
  const schedule = scheduleOf(run, parallel)
  const pagesOf = ({ node, partition }: RangeNode) =>
    new RangePages({ ...shared, node }, partition, schedule)
  try {
    const rows =
      order === 'arrival'
        ? rowsAsTheyArrive(ranges.map(pagesOf), schedule)
        : rowsInKeyOrder(keyedRuns(shared, schedule), schedule)
    yield* limitRows(rows, run.node)
  } finally {
    schedule.gate.close()
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

/** A page, and the run that it is of. */
interface Arrival<Row> {
  readonly from: RangePages<Row>
  /** Its rows as they came; `undefined` after the last page. */
  readonly raws: readonly unknown[] | undefined
}

/**
 * Yields the rows of several runs, page by page as they come. It fetches at most one page ahead of each
 * active run.
 *
 * @param runs - each begins when its turn comes
 * @param schedule - when requests begin
 */
export async function* rowsAsTheyArrive<Row>(
  runs: readonly RangePages<Row>[],
  { ahead, gate, budget, prefetch }: ParallelSchedule,
): AsyncGenerator<readonly Row[], void, undefined> {
  const waiting = runs.values()
  const active = new Map<RangePages<Row>, Promise<Arrival<Row>>>()
  const fetchNext = (from: RangePages<Row>) => {
    const arrival = from.fetch(() => budget.hasRoom).then((raws) => ({ from, raws }))
    active.set(from, quiet(arrival))
  }
  const beginNext = () => {
    const { value: run } = waiting.next()
    if (run !== undefined) fetchNext(run)
  }
  for (let begun = 0; begun < ahead; begun++) beginNext()
  while (active.size > 0) {
    const { from, raws } = await Promise.race(active.values())
    active.delete(from)
    if (raws === undefined) {
      beginNext()
      continue
    }
    const items = await from.read(raws)
    if (prefetch) fetchNext(from)
    yield items
    budget.passedOn(items.length)
    if (!prefetch) fetchNext(from)
    gate.retry()
  }
}
