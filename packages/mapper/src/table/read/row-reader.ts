import { type DynamicEntity, dynamicEntityCodec, keyOfRaw, type RawEntity } from '@rowkey/odata'
import {
  type AnyQuerySource,
  type DynamicShape,
  Query,
  type QueryNode,
  type QueryShape,
  type RawQuerySource,
  type TokenSeal,
} from '@rowkey/query'
import {
  AbortError,
  type CallOptions,
  checkOptions,
  findEntity,
  getEntity,
  perform,
  type TableService,
} from '@rowkey/rest'
import type { BulkRun } from '../../bulk/bulk-run.ts'
import type { RowCodec } from '../../codec/row-codec.ts'
import { mapperInputError } from '../../errors/codes.ts'
import type { RowLifetime, RowReads } from '../../model/row-lifetime.ts'
import type { RowOrigin } from '../../snapshot/snapshot.ts'
import { CALL_OPTION_NAMES } from '../call-options.ts'
import type {
  CopyDestination,
  CopyOptions,
  DeleteAllOptions,
  RawRows,
  RawTable,
} from '../raw/raw-table.ts'
import { rowError } from './error-place.ts'

/** Reads the rows of one table into entities. */
export class RowReader<Entity extends object> {
  readonly #table: string
  readonly #origin: RowOrigin
  readonly #codec: RowCodec<Entity>

  /**
   * @param table - the table's name
   * @param origin - identifies the table among those of all accounts
   * @param codec - reads its rows
   */
  constructor(table: string, origin: RowOrigin, codec: RowCodec<Entity>) {
    this.#table = table
    this.#origin = origin
    this.#codec = codec
  }

  /**
   * Reads a row.
   *
   * @param raw - the row
   * @param etag - the ETag header of a single-entity response
   * @param isPart - whether the response has only the selected properties
   * @throws {@link DecodeError} naming table, PartitionKey and RowKey, when the row does not fit its model
   */
  read(raw: RawEntity, etag?: string, isPart?: boolean): Entity {
    try {
      return this.#codec.read(raw, etag, this.#origin, isPart)
    } catch (error) {
      throw rowError(error, this.#table, raw)
    }
  }

  /** Returns a row as a reader with the keys sees it: verified and decrypted. */
  reveal(raw: RawEntity): RawEntity {
    try {
      return this.#codec.reveal?.(raw) ?? raw
    } catch (error) {
      throw rowError(error, this.#table, raw)
    }
  }
}

/** The reads of one row. */
type RowRead = Pick<RowReads, 'find' | 'get'>

const anyRow: RowRead = {
  find: (service, input, options) => perform(service, findEntity, input, options),
  get: (service, input, options) => perform(service, getEntity, input, options),
}

/** Returns how to read one row: only a live one of a model with a lifetime. */
export function readsOf(lifetime: RowLifetime | undefined): RowRead {
  return lifetime?.reads ?? anyRow
}

/** The parts of an entity source. */
interface EntitySourceParts<Entity extends object> {
  readonly service: TableService
  /** The name of the table. */
  readonly table: string
  readonly rows: RowReader<Entity>
  readonly tokenSeal?: TokenSeal | undefined
  /** Decides which rows are live; absent when all are. */
  readonly lifetime?: RowLifetime | undefined
}

/** Reads the rows of one table for a query, page by page or by their keys. */
export function entitySource<Entity extends object>({
  service,
  table,
  rows,
  tokenSeal,
  lifetime,
}: EntitySourceParts<Entity>): RawQuerySource<Entity, CallOptions, RawEntity> {
  const reads = readsOf(lifetime)
  const check = (options: CallOptions): void =>
    checkOptions(options, CALL_OPTION_NAMES, `A query of table ${table}`)
  return {
    table,
    tokenSeal,
    isUnsorted: service.endpoint.flavour === 'cosmos',

    beginRun(options) {
      check(options)
      // The first page waits for it. An error then ends the run.
      if (pages === undefined) loadPages().catch(() => {})
      return service.pendingCalls.begin(service.withDeadline(options))
    },

    endRun(options) {
      service.pendingCalls.end(options)
    },

    async fetchPage(query, page, options) {
      const { fetchEntities } = pages ?? (await unlessAborted(loadPages(), options.signal))
      return fetchEntities({ service, table, lifetime }, query, page, options)
    },

    async findRow(key, { select }, options) {
      const found = await reads.find(service, { table, key, select }, options)
      return found && withETag(found.raw, found.etag)
    },

    readRow: (raw, { projected }) => rows.read(raw, undefined, projected),
    keyOf: keyOfRaw,
    entityOf: (raw) => dynamicEntityCodec.read(rows.reveal(raw)),
  }
}

/** Loaded with the first query, and not awaited again. */
let pages: typeof import('./entity-pages.ts') | undefined

async function loadPages(): Promise<typeof import('./entity-pages.ts')> {
  pages = await import('./entity-pages.ts')
  return pages
}

/** Waits for code that is loaded, but not longer than the signal allows. */
function unlessAborted<Code>(
  loading: Promise<Code>,
  signal: AbortSignal | undefined,
): Promise<Code> {
  if (signal === undefined) return loading
  // Node warns of many listeners of one signal, so each call has a signal of its own.
  const own = AbortSignal.any([signal])
  const aborted = new Promise<never>((_, reject) => {
    const stop = () => reject(new AbortError({ reason: own.reason, mayHaveApplied: false }))
    if (own.aborted) stop()
    own.onabort = stop
  })
  return Promise.race([loading, aborted])
}

/** Adds the ETag to a row, as in a page of a query. */
function withETag(raw: RawEntity, etag: string | undefined): RawEntity {
  return etag === undefined || 'odata.etag' in raw ? raw : { ...raw, 'odata.etag': etag }
}

/**
 * The properties that queries of a table can use: any name for a DynamicEntity, and the common properties
 * for several types.
 *
 * @example
 * ```ts
 * type A = TableShape<{ id: string; name: string } | { id: string; no: number }> // { id: string }
 * ```
 */
export type TableShape<Entity> = [Entity] extends [DynamicEntity]
  ? DynamicShape
  : QueryShape<Pick<Exclude<Entity, DynamicEntity>, keyof Exclude<Entity, DynamicEntity>>>

/** What deleting a row needs. */
const KEYS = Object.freeze(['PartitionKey', 'RowKey'])

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
   * @param options - also `etag: '*'`, to delete rows that changed since they were read; `concurrency` and
   * `onProgress`, as for {@link Table.bulk}
   * @returns a run, which begins when it is awaited or iterated over
   * @throws InputError with the code `TableScan`, when it runs, for a query that would scan the table
   *
   * @example
   * ```ts
   * const { done } = await customers.query().where({ lastName: 'Smith' }).deleteAll()
   * ```
   */
  deleteAll(options: DeleteAllOptions = {}): BulkRun<RawEntity> {
    return this.#table.deleteAll(this.#rows('deleteAll', KEYS), options)
  }

  /**
   * Copies all rows of the query to another table, also of another account. Rows are copied as they are
   * stored: undeclared properties and types stay, encrypted values stay encrypted. The service gives them
   * new ETags and Timestamps.
   *
   * @param destination - a table that exists
   * @param options - also `mode`, how rows are written, and `onConflict`
   * @returns a run, which begins when it is awaited or iterated over
   * @throws InputError with the code `InvalidOptionValue` when the destination is the same table
   *
   * @example
   * ```ts
   * await customers.query().where({ lastName: 'Smith' }).copyTo(archive.table(Customer))
   * ```
   */
  copyTo(destination: CopyDestination, options: CopyOptions = {}): BulkRun<RawEntity> {
    const rows: Partial<RawTable> | undefined = destination?.rawRows
    if (typeof rows?.receive !== 'function') {
      throw mapperInputError({
        code: 'InvalidOptionValue',
        message: `copyTo on ${this.#node.model.name} takes a table, such as account.table('archive').`,
      })
    }
    return destination.rawRows.receive(this.#rows('copyTo', undefined), this.#table, options)
  }

  /** @internal */
  protected override remade(
    node: QueryNode,
    source: AnyQuerySource<Entity, CallOptions>,
  ): TableQuery<Entity> {
    return new TableQuery(node, source, this.#table, this.#hasKept)
  }

  #rows(call: string, select: readonly string[] | undefined): RawRows {
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
