import { TokenTrail } from '@rowkey/odata'
import { ACCOUNT_BOUNDS, type RequestSlot } from '../concurrency/concurrency-level.ts'
import { levelOfRun } from '../concurrency/level-of-run.ts'
import { RequestGate } from '../concurrency/request-gate.ts'
import type { ParallelNode } from '../node/query-node.ts'
import { rowReading } from '../run/row-reader.ts'
import { PageFetcher, readRows } from '../run/run-pages.ts'
import type { QueryOptions, QueryRun, RowReading } from '../source/query-source.ts'
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

/**
 * The pages of one of several runs. Each is fetched when its turn comes, and read when its rows are wanted: until then its rows stay as
 * they came, because entities take four times the memory.
 */
export class RangePages<Row> {
  readonly #fetcher: PageFetcher<QueryOptions>
  readonly #reading: RowReading<Row> & Pick<QueryRun<Row>, 'node'>
  readonly #trail: TokenTrail
  readonly #partition: string | undefined
  readonly #schedule: ParallelSchedule
  #remaining: number
  #token: string | undefined
  #ended = false
  #onThrottled = () => {}

  /**
   * @param run - the run of one query
   * @param partition - the partition that it reads; `undefined` for several
   * @param schedule - when the requests of all runs begin
   */
  constructor(run: QueryRun<Row>, partition: string | undefined, schedule: ParallelSchedule) {
    const { node, source } = run
    const options = source.observed?.(run.options, () => this.#onThrottled()) ?? run.options
    this.#fetcher = new PageFetcher({ ...run, options })
    this.#reading = { node, ...rowReading(run) }
    this.#trail = new TokenTrail(node.model.name, undefined)
    this.#remaining = node.take ?? Number.POSITIVE_INFINITY
    this.#partition = partition
    this.#schedule = schedule
  }

  /**
   * Fetches the next page when its turn comes, or when it is welcome. The page before must have been read.
   *
   * @returns its rows as they came; `undefined` after the last page
   */
  async fetch(isWelcome: () => boolean): Promise<readonly unknown[] | undefined> {
    if (this.#ended) return undefined
    const { gate, budget } = this.#schedule
    const fetch = async (slot: RequestSlot) => {
      this.#onThrottled = () => gate.throttled(slot)
      let rows = 0
      try {
        const { items, continuationToken } = await this.#fetcher.fetch(this.#token)
        this.#trail.step(continuationToken, items.length)
        this.#token = continuationToken
        this.#ended = continuationToken === undefined
        rows = items.length
        return items
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

  /** Reads the wanted rows of the page that was fetched last, up to the limit of the run. */
  async read(raws: readonly unknown[]): Promise<readonly Row[]> {
    const { items } = await readRows(this.#reading, raws, 0, this.#remaining)
    this.#remaining -= items.length
    if (this.#remaining === 0) this.#ended = true
    this.#schedule.budget.passedOn(raws.length - items.length)
    return items
  }
}
