import type {
  CompiledQuery,
  PageRequest,
  QueryOptions,
  QueryPage,
  QuerySource,
} from '@rowkey/query'

/** One call of {@link ArraySource.fetchPage}. */
interface PageCall {
  readonly query: CompiledQuery
  readonly page: PageRequest
  readonly options: QueryOptions
}

/** A source of pages in an array, as short or empty as a test wants them; a token is a page's number. */
export class ArraySource<Row> implements QuerySource<Row> {
  readonly calls: PageCall[] = []
  readonly #pages: readonly (readonly Row[])[]

  constructor(...pages: readonly (readonly Row[])[]) {
    this.#pages = pages
  }

  async fetchPage(
    query: CompiledQuery,
    page: PageRequest,
    options: QueryOptions,
  ): Promise<QueryPage<Row>> {
    options.signal?.throwIfAborted()
    this.calls.push({ query, page, options })
    const number = Number(page.continuationToken ?? 0)
    const items = this.#pages[number] ?? []
    const more = number + 1 < this.#pages.length
    return more ? { items, continuationToken: String(number + 1) } : { items }
  }
}
