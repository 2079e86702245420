import { ACCOUNT_BOUNDS, type RequestSlot } from '../concurrency/concurrency-level.ts'
import { levelOfRun } from '../concurrency/level-of-run.ts'
import { RequestGate } from '../concurrency/request-gate.ts'
import type { ParallelNode } from '../node/query-node.ts'
import { runPages } from '../run/run-pages.ts'
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
  /** Whether a page is fetched while the one before it is consumed. */
  readonly prefetch: boolean
}

/** A number that the caller fixed bounds the rows, too; otherwise the level of the account and a number of rows do. */
export function scheduleOf<Options extends QueryOptions>(
  { node, source, prefetch }: QueryRun<unknown, Options>,
  { concurrency }: ParallelNode,
): ParallelSchedule {
  const level = levelOfRun(concurrency, source.level)
  const gate = new RequestGate(level)
  if (concurrency !== undefined) {
    return { ahead: concurrency, gate, budget: new RowBudget(Number.POSITIVE_INFINITY), prefetch }
  }
  // With a limit, the queries ahead may be in vain.
  const ahead = node.take === undefined ? level.ceiling : ACCOUNT_BOUNDS.start
  return { ahead, gate, budget: new RowBudget(), prefetch }
}

/** The pages of one of several runs. Each is fetched when its turn comes. */
export class RangePages<Row> {
  readonly #pages: AsyncGenerator<QueryPage<Row>, void, undefined>
  readonly #partition: string | undefined
  readonly #schedule: ParallelSchedule
  #onThrottled = () => {}

  /**
   * @param run - the run of one query
   * @param partition - the partition that it reads; `undefined` for several
   * @param schedule - when the requests of all runs begin
   */
  constructor(run: QueryRun<Row>, partition: string | undefined, schedule: ParallelSchedule) {
    const { source, options } = run
    const observed = source.observed?.(options, () => this.#onThrottled()) ?? options
    // The caller fetches the page ahead.
    this.#pages = runPages({ ...run, options: observed, prefetch: false })
    this.#partition = partition
    this.#schedule = schedule
  }

  /** Fetches the next page when its turn comes, or when it is welcome. */
  next(isWelcome: () => boolean): Promise<IteratorResult<QueryPage<Row>, void>> {
    const { gate, budget } = this.#schedule
    const fetch = async (slot: RequestSlot) => {
      this.#onThrottled = () => gate.throttled(slot)
      let rows = 0
      try {
        const page = await this.#pages.next()
        if (!page.done) rows = page.value.items.length
        return page
      } finally {
        budget.arrived(rows)
      }
    }
    return gate.pass(fetch, {
      partition: this.#partition,
      isWelcome,
      onBegin: () => budget.expect(),
    })
  }
}
