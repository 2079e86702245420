import { ACCOUNT_BOUNDS } from '../concurrency/concurrency-level.ts'
import { levelOfRun } from '../concurrency/level-of-run.ts'
import { RequestGate } from '../concurrency/request-gate.ts'
import { type ParallelNode, rangeNodes } from '../node/query-node.ts'
import type { QueryOptions, QueryPage, QueryRun } from '../source/query-source.ts'
import { RowBudget } from './row-budget.ts'

/** When the requests of concurrent queries begin. */
export interface ParallelSchedule {
  /** How many queries may have begun at once. */
  readonly ahead: number
  /** Limits the requests of all of them. */
  readonly gate: RequestGate
  /** Limits the rows that are fetched before they are wanted. */
  readonly budget: RowBudget
}

/** A number that the caller fixed bounds the rows, too; otherwise the level of the account and a number of rows do. */
export function scheduleOf<Options extends QueryOptions>(
  { node, source }: QueryRun<unknown, Options>,
  { concurrency }: ParallelNode,
): ParallelSchedule {
  const level = levelOfRun(concurrency, source.level)
  const gate = new RequestGate(level)
  if (concurrency !== undefined) {
    return { ahead: concurrency, gate, budget: new RowBudget(Number.POSITIVE_INFINITY) }
  }
  // With a limit, the queries ahead may be in vain.
  const ahead = node.take === undefined ? level.ceiling : ACCOUNT_BOUNDS.start
  return { ahead, gate, budget: new RowBudget() }
}

/** The requests of one of several runs. */
export interface RangeRequests {
  /** The partition that it reads; `undefined` for several. */
  readonly partition: string | undefined
  /** Is called when the service throttles the request that is pending. */
  onThrottled: () => void
}

/** One of several runs. */
export interface RangeRun<Row, Options extends QueryOptions = QueryOptions> extends RangeRequests {
  readonly run: QueryRun<Row, Options>
}

/** Returns the runs that a query stands for. */
export function rangeRuns<Row, Options extends QueryOptions>(
  run: QueryRun<Row, Options>,
): readonly RangeRun<Row, Options>[] {
  return rangeNodes(run.node).map(({ node, partition }) => rangeRun({ ...run, node }, partition))
}

/** Returns a run that tells when it is throttled. */
export function rangeRun<Row, Options extends QueryOptions>(
  run: QueryRun<Row, Options>,
  partition: string | undefined,
): RangeRun<Row, Options> {
  const { source, options } = run
  const observed = source.observed?.(options, () => range.onThrottled()) ?? options
  const range = { run: { ...run, options: observed }, partition, onThrottled: () => {} }
  return range
}

/** Fetches the next page of a run when its turn comes. */
export function nextPage<Page extends IteratorResult<QueryPage<unknown>, void>>(
  range: RangeRequests,
  { gate, budget }: ParallelSchedule,
  fetch: () => Promise<Page>,
  isWelcome: () => boolean,
): Promise<Page> {
  const { partition } = range
  return gate.pass(
    async (slot) => {
      range.onThrottled = () => gate.throttled(slot)
      let rows = 0
      try {
        const page = await fetch()
        if (!page.done) rows = page.value.items.length
        return page
      } finally {
        budget.arrived(rows)
      }
    },
    { partition, isWelcome, onBegin: () => budget.expect() },
  )
}
