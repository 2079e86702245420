import { quiet, stoppable } from '../concurrency/results-in-order.ts'
import { type ParallelNode, type QueryNode, rangeNodes } from '../node/query-node.ts'
import { checkScan, runPages } from '../run/run-pages.ts'
import type { QueryOptions, QueryPage, QueryRun } from '../source/query-source.ts'
import { keyedRuns, rowsInKeyOrder } from './keyed-rows.ts'
import {
  nextPage,
  type ParallelSchedule,
  type RangeRequests,
  type RangeRun,
  rangeRuns,
  scheduleOf,
} from './range-run.ts'

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
  const { options, stop } = stoppable(run.options)
  const shared = { ...run, options }
  const { order } = parallel
  const schedule = scheduleOf(run, parallel)
  try {
    const rows =
      order === 'arrival'
        ? rowsAsTheyArrive(rangeRuns(shared), schedule)
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

type Pages<Row> = AsyncGenerator<QueryPage<Row>, void, undefined>

/** A run that has begun. */
interface ActiveRun<Row> {
  readonly range: RangeRequests
  readonly pages: Pages<Row>
}

/** A page, and the run that it is of. */
interface Arrival<Row> {
  readonly from: ActiveRun<Row>
  readonly result: IteratorResult<QueryPage<Row>, void>
}

/**
 * Yields the rows of several runs, page by page as they come. It fetches at most one page ahead of each
 * active run.
 *
 * @param runs - each begins when its turn comes
 * @param schedule - when requests begin
 */
export async function* rowsAsTheyArrive<Row, Options extends QueryOptions>(
  runs: readonly RangeRun<Row, Options>[],
  schedule: ParallelSchedule,
): AsyncGenerator<readonly Row[], void, undefined> {
  const { ahead, gate, budget } = schedule
  const prefetch = runs[0]?.run.prefetch
  const waiting = runs.values()
  const active = new Map<ActiveRun<Row>, Promise<Arrival<Row>>>()
  const fetchNext = (one: ActiveRun<Row>) => active.set(one, quiet(arrivalOf(one, schedule)))
  const beginNext = () => {
    const { value: range } = waiting.next()
    // This function fetches the page ahead itself.
    if (range === undefined) return
    fetchNext({ range, pages: runPages({ ...range.run, prefetch: false }) })
  }
  for (let begun = 0; begun < ahead; begun++) beginNext()
  while (active.size > 0) {
    const { from, result } = await Promise.race(active.values())
    active.delete(from)
    if (result.done) {
      beginNext()
      continue
    }
    const { items } = result.value
    if (prefetch) fetchNext(from)
    yield items
    budget.passedOn(items.length)
    if (!prefetch) fetchNext(from)
    gate.retry()
  }
}

async function arrivalOf<Row>(
  from: ActiveRun<Row>,
  schedule: ParallelSchedule,
): Promise<Arrival<Row>> {
  const { range, pages } = from
  const isWelcome = () => schedule.budget.hasRoom
  return { from, result: await nextPage(range, schedule, () => pages.next(), isWelcome) }
}
