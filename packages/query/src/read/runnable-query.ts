import type {
  FullPage,
  HandlerOptions,
  PageOptions,
  PageStart,
  QueryOptions,
  QueryPage,
} from '../source/query-source.ts'
import type { RowHandler } from './for-each-row.ts'

/**
 * The methods that run a query. It is itself an async iterable of its rows; each `for await` runs it again.
 */
export interface RunnableQuery<Row, Options extends QueryOptions = QueryOptions>
  extends AsyncIterable<Row> {
  /**
   * Runs the query and yields its rows one by one, over all pages, as a loop over the query itself does.
   *
   * Requests: `pages`: `explain()` says when it reads entities by their keys instead.
   *
   * @param options - the options of every run
   *
   * @example
   * ```ts
   * for await (const customer of query.rows({ signal })) show(customer) // ends when the signal aborts
   * ```
   */
  rows(options?: Options): AsyncGenerator<Row, void, undefined>

  /**
   * Runs the query and collects all its rows.
   *
   * Requests: `pages`: `explain()` says when it reads entities by their keys instead.
   *
   * @param options - the options of every run
   *
   * @example
   * ```ts
   * const smiths = await customers.query().where({ lastName: 'Smith' }).toArray()
   * ```
   */
  toArray(options?: Options): Promise<Row[]>

  /**
   * Reads the first row, on Cosmos DB any row. It asks for one row, over as many empty pages as come.
   *
   * Requests: `pages` until the first row.
   *
   * @param options - the options of every run
   * @throws NoRowError when no row matches; `firstOrUndefined` returns `undefined`
   * instead
   *
   * @example
   * ```ts
   * const someone = await customers.query().where({ lastName: 'Smith' }).first() // $top=1
   * ```
   */
  first(options?: Options): Promise<Row>

  /**
   * Reads the first row, on Cosmos DB any row, or returns `undefined` when no row matches. It asks for one
   * row, over as many empty pages as come.
   *
   * Requests: `pages` until the first row.
   *
   * @param options - the options of every run
   *
   * @example
   * ```ts
   * const someone = await customers.query().where({ lastName: 'Smith' }).firstOrUndefined() // $top=1
   * ```
   */
  firstOrUndefined(options?: Options): Promise<Row | undefined>

  /**
   * Counts the rows of the query, up to its limit if it has one. The service cannot count: it sends the
   * PartitionKey of every row, 1,000 to a page; a large count is slow and billed. With exact writes it sends the
   * RowKey too, by which their markers are recognized.
   *
   * Requests: `pages`: `explain()` says when it reads entities by their keys instead.
   *
   * @param options - the options of every run
   * @see https://learn.microsoft.com/azure/storage/tables/table-storage-design-for-query
   *
   * @example
   * ```ts
   * const smiths = await customers.query().where({ lastName: 'Smith' }).count()
   * // $select=PartitionKey, over all pages
   * ```
   */
  count(options?: Options): Promise<number>

  /**
   * Calls a function with each row, several at a time, and ends when all calls have. Rows are fetched as
   * they are needed, in the order of their keys, except on Cosmos DB; calls may end in any order.
   *
   * The first error, of a call or of the query, is thrown. Then no further call begins. The signal of the
   * pending calls aborts, so that they can end early, and they are awaited. The same happens when the
   * caller's signal aborts while there are rows left.
   *
   * Requests: `pages`: `explain()` says when it reads entities by their keys instead.
   *
   * @param handler - called with a row and a signal; its result is awaited
   * @param options - how many calls at a time, and the options of every run
   * @throws InputError with the code `InvalidQuery` when the handler is not a function, or the concurrency
   * is not a whole number from 1
   *
   * @example
   * ```ts
   * await customers.query()
   *   .where({ lastName: 'Smith' }) // PartitionKey eq 'Smith'
   *   .forEach((customer, signal) => sendLetter(customer, { signal }), { concurrency: 4 })
   * ```
   */
  forEach(handler: RowHandler<Row>, options?: Options & HandlerOptions): Promise<void>

  /**
   * Runs the query page by page, as the service ends its pages: they may be short or empty though more
   * follow. `page` reads pages of an exact size.
   *
   * Each page's token can be stored and passed to a later run of the same query, which continues right
   * after the page's last row. `.take` counts again in every run.
   *
   * Requests: `pages`.
   *
   * @param options - where to begin, and the options of every run
   * @throws InputError with the code `InvalidContinuationToken` for a text that is not a token of this query
   *
   * @example
   * ```ts
   * const query = customers.query().where({ lastName: 'Smith' }).pageSize(100)
   * for await (const { items, continuationToken } of query.byPage({ continuationToken: saved })) {
   *   await show(items)
   *   saved = continuationToken // after a crash, continue here
   * }
   * ```
   */
  byPage(options?: Options & PageStart): AsyncGenerator<QueryPage<Row>, void, undefined>

  /**
   * Reads one page of exactly `size` rows, or fewer at the end. Short and empty pages of the
   * service are joined, in as many requests as it takes. For REST interfaces and "load more" buttons.
   *
   * A query with `.inPartitions`, `.parallel` or `.take` has no pages of this kind. Entities that a query
   * names by their whole keys are read by one query here.
   *
   * Requests: `pages` until it is full.
   *
   * @param options - how many rows, the token of the page before, and the options of every run
   * @throws InputError with the code `InvalidQuery` for a size that is not a whole number from 1. With the
   * code `InvalidContinuationToken` for a text that is not a token of this query
   *
   * @example
   * ```ts
   * const query = customers.query().where({ lastName: 'Smith' })
   * const { items, next } = await query.page({ size: 20, token: request.query.token })
   * // next: undefined at the end, else the token of the next page
   * ```
   */
  page(options: Options & PageOptions): Promise<FullPage<Row>>
}
