import { type CompiledQuery, compileQuery } from '../compile-query.ts'
import type { QueryOptions, QueryPage } from '../query-source.ts'
import type { QueryRun } from './query-run.ts'
import { type Stoppable, stoppable } from './stoppable.ts'

/** Fetches the pages of one run, at most one of them before it is asked for. */
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
   * A page, which may be under way already.
   *
   * @param token - where it begins; the one of {@link fetchAhead} if that was called
   */
  fetch(token: string | undefined): Promise<QueryPage<unknown>> {
    const { options } = this.#run
    // Once the signal has aborted nobody is given a page that came ahead: the source says why.
    const ahead = options.signal?.aborted ? undefined : this.#ahead
    const page = ahead ?? this.#request(token, options)
    this.#ahead = undefined
    return page
  }

  /**
   * Begins to fetch the page that will be asked for next.
   *
   * @param token - where it begins
   */
  fetchAhead(token: string): void {
    this.#stoppable ??= stoppable(this.#run.options)
    this.#ahead = this.#request(token, this.#stoppable.options)
    // Whoever asks for the page gets its error; of a page that nobody asks for, it is of no interest.
    this.#ahead.catch(() => {})
  }

  /** Ends the request of a page that nobody asked for. */
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
