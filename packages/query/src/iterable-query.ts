import { callWithRows } from './call-with-rows.ts'
import { QueryBuilder } from './query-builder.ts'
import type { QueryNode } from './query-node.ts'
import { fullPage, queryPages } from './query-pages.ts'
import { queryRows } from './query-rows.ts'
import type { FullPage, PageOptions, PageStart, QueryOptions, QueryPage } from './query-source.ts'
import type { AnyQuerySource } from './raw-query-source.ts'
import type { HandlerOptions, RowHandler } from './run/handler-calls.ts'
import { type QueryRun, rowReader } from './run/query-run.ts'
import { DEFAULT_CONCURRENCY } from './run/results-in-order.ts'

/**
 * A query that knows where its rows come from, and gives them one by one, or page by page.
 * {@link RunnableQuery} adds the ways to have them together.
 */
export abstract class IterableQuery<Row, Shape, Options extends QueryOptions = QueryOptions>
  extends QueryBuilder<Shape>
  implements AsyncIterable<Row>
{
  /** Where the rows come from. */
  protected readonly source: AnyQuerySource<Row, Options>

  /**
   * @param node - everything said so far
   * @param source - where the rows come from; see {@link bindQuery}
   */
  constructor(node: QueryNode, source: AnyQuerySource<Row, Options>) {
    super(node)
    this.source = source
  }

  /** Runs the query and gives its rows one by one, over all pages. */
  [Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined> {
    return this.rows()
  }

  /**
   * Runs the query and gives its rows one by one, over all pages, as a loop over the query itself does.
   *
   * @param options - what every run takes
   *
   * @example
   * ```ts
   * for await (const customer of query.rows({ signal })) show(customer) // ends when the signal aborts
   * ```
   */
  async *rows(options?: Options): AsyncGenerator<Row, void, undefined> {
    for await (const rows of queryRows(this.run(options, true))) {
      for (const row of rows) yield row
    }
  }

  /**
   * Runs the query page by page. Pages may be short or empty though more follow.
   *
   * Each page's token can be stored and given to a later run of the same query, which then goes on
   * right after the page's last row; `.take` counts afresh in every run.
   *
   * @param options - where to begin, and what every run takes
   *
   * @example
   * ```ts
   * const query = customers.query().where({ lastName: 'Smith' }).pageSize(100)
   * for await (const { items, continuationToken } of query.byPage({ continuationToken: saved })) {
   *   await show(items)
   *   saved = continuationToken // after a crash, go on from here
   * }
   * ```
   */
  byPage(options?: Options & PageStart): AsyncGenerator<QueryPage<Row>, void, undefined> {
    const { continuationToken, ...rest }: QueryOptions & PageStart = options ?? {}
    // What is left are the options that the source named, none of which it may require.
    return queryPages(this.run(rest as Options, false), continuationToken)
  }

  /**
   * Reads one page of exactly `size` rows, or what is left at the end. Short and empty pages of the
   * service are joined, in as many requests as it takes. For REST interfaces and "load more" buttons;
   * {@link IterableQuery.byPage} gives the service's pages as they are.
   *
   * A query with `.inPartitions`, `.parallel` or `.take` has no pages of this kind. Entities that are
   * named by their whole keys are asked for in one query here.
   *
   * @param options - how many rows, the token of the page before, and the options of every run
   * @throws {@link QueryError} for a size that is not a whole number from 1
   * @throws InputError with the code `InvalidContinuationToken` for a text that is not a token of this query
   *
   * @example
   * ```ts
   * const query = customers.query().where({ lastName: 'Smith' })
   * const { items, next } = await query.page({ size: 20, token: request.query.token })
   * // next: undefined at the end, else the token of the next page
   * ```
   */
  async page(options: Options & PageOptions): Promise<FullPage<Row>> {
    const { size, token, ...rest }: QueryOptions & PageOptions = options ?? {}
    this.checkCount(`.page({ size: ${String(size)} })`, size, Number.MAX_SAFE_INTEGER)
    // The rest are the options that the source names, and it must not require one.
    return fullPage(this.run(rest as Options, false), { size, token })
  }

  /**
   * Calls a function with each row, several at a time, and ends when all calls have. Rows are asked for
   * as they are needed, in the order of their keys; calls may end in any.
   *
   * The first error is thrown, whether of a call or of the query: no further row is handed out, and
   * the calls under way are waited for. Their signal aborts, so that they can be short. So it is when
   * the caller's signal aborts while there are rows left.
   *
   * @param handler - called with a row and a signal; what it returns is waited for
   * @param options - how many calls at a time, and what every run takes
   * @throws {@link QueryError} when the handler is no function, or the concurrency no whole number from 1
   *
   * @example
   * ```ts
   * await customers.query()
   *   .where({ lastName: 'Smith' }) // PartitionKey eq 'Smith'
   *   .forEach((customer, signal) => sendLetter(customer, { signal }), { concurrency: 4 })
   * ```
   */
  async forEach(handler: RowHandler<Row>, options?: Options & HandlerOptions): Promise<void> {
    const { concurrency = DEFAULT_CONCURRENCY, ...rest }: QueryOptions & HandlerOptions =
      options ?? {}
    // What is left are the options that the source named, none of which it may require.
    await callWithRows(this.run(rest as Options, true), { handler, concurrency })
  }

  /**
   * A run of this query.
   *
   * @param options - what the caller said of it
   * @param prefetch - whether pages are fetched ahead, unless the query says so itself
   */
  protected run(options: Options | undefined, prefetch: boolean): QueryRun<Row, Options> {
    const { node, source } = this
    return {
      node,
      source,
      // A source may require none of its options.
      options: options ?? ({} as Options),
      prefetch: node.prefetch ?? prefetch,
      read: rowReader(node, source),
    }
  }
}
