import { invalidOption, type RawEntity } from '@rowkey/odata'
import { type AnyQuerySource, Query, type QueryNode } from '@rowkey/query'
import type { CallOptions } from '@rowkey/rest'
import type { BulkRun } from '../bulk/bulk-run.ts'
import type { TableShape } from '../rows/read-options.ts'
import type { CopyOptions, DeleteAllOptions } from './raw-options.ts'
import { type CopyDestination, KEYS, type RawRows, type RawTable } from './raw-table.ts'

/**
 * The query of a table, from {@link Table.query}. It can also delete and copy the rows that it
 * finds.
 */
export class TableQuery<Entity> extends Query<Entity, Entity, TableShape<Entity>, CallOptions> {
  readonly #node: QueryNode
  readonly #table: RawTable
  readonly #hasKept: boolean

  /**
   * @param node - the parts of the query so far
   * @param source - where the rows come from
   * @param table - deletes and copies the rows
   * @param hasKept - whether the source also gives the rows of keepers
   * @internal
   */
  constructor(
    node: QueryNode,
    source: AnyQuerySource<Entity, CallOptions>,
    table: RawTable,
    hasKept: boolean,
  ) {
    super(node, source)
    this.#node = node
    this.#table = table
    this.#hasKept = hasKept
  }

  /**
   * Deletes all rows of the query, in transactions by partition. It reads only keys and ETags, so it also
   * deletes rows that the model cannot read. A row that is gone already counts as skipped.
   *
   * Requests: `pages + transactions`: a page has up to 1,000 rows, a transaction up to 100 of a partition.
   *
   * @param options - also `etag: '*'`, to delete rows that changed since they were read; `concurrency` and
   * `onProgress`, as for {@link Table.bulk}
   * @returns a run, which begins when it is awaited or iterated over
   * @throws InputError when the run begins: with the code `InvalidOptionValue` for invalid options, with `TableScan`
   * for a query that would scan the table
   *
   * @example
   * ```ts
   * const { done } = await customers.query().where({ lastName: 'Smith' }).deleteAll()
   * ```
   */
  deleteAll(options: DeleteAllOptions = {}): BulkRun<RawEntity> {
    return this.#table.deleteAll(this.storedRows('deleteAll', KEYS), options)
  }

  /**
   * Copies all rows of the query to another table, also of another account. Rows are copied as they are
   * stored: undeclared properties and types stay, encrypted values stay encrypted. The service gives them
   * new ETags and Timestamps.
   *
   * Requests: `pages + transactions`: a page has up to 1,000 rows, a transaction up to 100 of a partition.
   *
   * @param destination - a table that exists
   * @param options - also `mode`, how rows are written, and `onConflict`
   * @returns a run, which begins when it is awaited or iterated over
   * @throws InputError with the code `InvalidOptionValue` when the destination is not a table, and when the run
   * begins, for invalid options and for the same table
   *
   * @example
   * ```ts
   * await customers.query().where({ lastName: 'Smith' }).copyTo(archive.table(Customer))
   * ```
   */
  copyTo(destination: CopyDestination, options: CopyOptions = {}): BulkRun<RawEntity> {
    const rows: Partial<RawTable> | undefined = destination?.rawRows
    if (typeof rows?.receive !== 'function') {
      throw invalidOption(
        `copyTo on ${this.#node.model.name} takes a table, such as account.table('archive').`,
      )
    }
    return destination.rawRows.receive(this.storedRows('copyTo', undefined), this.#table, options)
  }

  /** @internal */
  protected override remade(
    node: QueryNode,
    source: AnyQuerySource<Entity, CallOptions>,
  ): TableQuery<Entity> {
    return new TableQuery(node, source, this.#table, this.#hasKept)
  }

  /**
   * Returns the rows of the query as they are stored.
   *
   * @param call - the method that the caller called, for messages
   * @param select - the stored names to read; `undefined` for those of the query
   * @internal
   */
  storedRows(call: string, select: readonly string[] | undefined): RawRows {
    const fetch = (options: CallOptions) => this.#fetch(call, select, options)
    return { fetch, hasKept: this.#hasKept }
  }

  async *#fetch(
    call: string,
    select: readonly string[] | undefined,
    options: CallOptions,
  ): AsyncGenerator<RawEntity, void, undefined> {
    for await (const rows of this.fetchedRows(call, select, options)) {
      yield* rows as readonly RawEntity[] // the source of a table fetches no other
    }
  }
}
