import { type CompiledQuery, compileQuery } from '../compile/compile-query.ts'
import { quiet } from '../concurrency/results-in-order.ts'
import { type Stoppable, stoppable } from '../concurrency/stoppable.ts'
import type { QueryOptions, QueryPage } from '../source/query-source.ts'
import type { QueryRun } from './query-run.ts'

/** Fetches the pages of one run, at most one of them ahead. */
export class PageFetcher<Options extends QueryOptions> {
  readonly #run: QueryRun<unknown, Options>
  readonly #query: CompiledQuery
  readonly #projected: boolean
  #ahead: Promise<QueryPage<unknown>> | undefined
  #stoppable: Stoppable<Options> | undefined

  constructor(run: QueryRun<unknown, Options>) {
    this.#run = run
    this.#query = compileQuery(run.node)
    this.#projected = run.node.select !== undefined
  }

  /**
   * Returns a page, which may be pending already.
   *
   * @param token - where it begins; the token of {@link fetchAhead} if that was called
   */
  fetch(token: string | undefined): Promise<QueryPage<unknown>> {
    const { options } = this.#run
    // Once the signal has aborted, a page that came ahead is not used: the source tells why.
    const ahead = options.signal?.aborted ? undefined : this.#ahead
    const page = ahead ?? this.#request(token, options)
    this.#ahead = undefined
    return page
  }

  /**
   * Begins to fetch the page that comes next.
   *
   * @param token - where it begins
   */
  fetchAhead(token: string): void {
    this.#stoppable ??= stoppable(this.#run.options)
    // The error is thrown to the one who fetches the page, and ignored if the run ends before.
    this.#ahead = quiet(this.#request(token, this.#stoppable.options))
  }

  /** Cancels the request of a page that was fetched ahead and is no longer wanted. */
  stop(): void {
    if (this.#ahead !== undefined) this.#stoppable?.stop()
  }

  /** Async, so that a source that throws rejects. */
  async #request(token: string | undefined, options: Options): Promise<QueryPage<unknown>> {
    const projected = this.#projected
    const at = token === undefined ? { projected } : { projected, continuationToken: token }
    return this.#run.source.fetchPage(this.#query, at, options)
  }
}
