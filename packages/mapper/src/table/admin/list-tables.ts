import type { CallOptions, TableService } from '@rowkey/rest'
import { partNotLoaded } from '@rowkey/rest'
import type { TableNamesPage, TablesToList } from './admin-options.ts'

/**
 * The names of an account's tables, from {@link Account.tables}. Nothing is sent before they are read.
 *
 * @example
 * ```ts
 * for await (const name of account.tables()) console.log(name)
 * for await (const { names, continuationToken } of account.tables({ pageSize: 100 }).byPage()) {
 *   console.log(names.length, continuationToken)
 * }
 * ```
 */
export class TableNames implements AsyncIterable<string> {
  readonly #service: TableService
  readonly #tables: TablesToList
  readonly #options: CallOptions

  /**
   * @param service - the account
   * @param tables - which tables
   * @param options - the options of each request
   */
  constructor(service: TableService, tables: TablesToList, options: CallOptions) {
    this.#service = service
    this.#tables = tables
    this.#options = options
  }

  /** Reads all names, over all pages. */
  async *[Symbol.asyncIterator](): AsyncGenerator<string, void, undefined> {
    for await (const { names } of this.byPage()) yield* names
  }

  /**
   * Reads page by page.
   *
   * @param options - `continuationToken`: the token of an earlier page, to begin after it
   * @throws InputError (`InvalidContinuationToken`) for a text that is not a token, or one of another list
   */
  async *byPage(
    options: { readonly continuationToken?: string | undefined } = {},
  ): AsyncGenerator<TableNamesPage, void, undefined> {
    const { pendingCalls } = this.#service
    const within = pendingCalls.begin(this.#service.withDeadline(this.#options))
    try {
      const { tablePages } = await import('./admin-calls.ts').catch(partNotLoaded)
      yield* tablePages(this.#service, this.#tables, within, options)
    } finally {
      pendingCalls.end(within)
    }
  }
}
