import { and, comparison, keyOfRaw, literalOf, printFilter, type RawEntity } from '@rowkey/odata'
import { type CallOptions, findEntity, perform, queryEntities } from '@rowkey/rest'
import { etagIn } from '../../codec/class-codec.ts'
import type { TableParts } from '../table-parts.ts'
import type { EntityChange } from './entity-change.ts'

/** A row as it is stored now. */
interface StoredRow {
  readonly raw: RawEntity
  readonly etag: string | undefined
}

/** Reads the stored row of a change; `undefined` for a missing one. */
export type RowRead = (change: EntityChange) => Promise<StoredRow | undefined>

/** The table whose rows are read. */
interface ReadTable extends Pick<TableParts<object>, 'service' | 'name'> {
  /** Present when what is stored with a write may depend on all properties. */
  readonly planner?: object | undefined
}

/** So many rows of one partition are read by a query. Fewer are read one by one. */
const FEWEST_TOGETHER = 10
/** The first query may read so many rows for each that is wanted. */
const FIRST_FOR_EACH = 10
/** After a query that read more rows for each that is wanted, the others are read one by one. */
const MOST_FOR_EACH = 125
/** The most rows of one page. */
const PAGE = 1_000
/** Queries may read so many rows more than they are worth. */
const MOST_SPARE = 10_000
/** A wanted row that a query finds is worth so many rows. */
const WORTH = 25
/** Each row that is read by its key adds so many rows to those that queries may read. */
const SINGLE_ADDS = 5

/**
 * Reads the rows that the writes of a table depend on. Many rows of one partition are read by queries over the range of their keys. When
 * too many other rows lie between them, the rest is read one by one.
 */
export class StoredRows {
  readonly #table: ReadTable
  /** Keys in a random order pay for queries less than they cost, group by group. */
  #spare = MOST_SPARE

  /** @param table - the table of the rows */
  constructor(table: ReadTable) {
    this.#table = table
  }

  /**
   * Makes what reads the rows of some changes of one partition.
   *
   * @param changes - those whose rows are needed
   */
  async of(changes: readonly EntityChange[], options: CallOptions): Promise<RowRead> {
    // A copy in a second region lags behind, and its ETags match nothing.
    const atPrimary: CallOptions = { ...options, locationMode: 'primaryOnly' }
    const read: RowRead = (change) => storedRow(change, this.#table, atPrimary)
    if (changes.length < FEWEST_TOGETHER) return read
    const { rows, unread } = await this.#readTogether(changes, atPrimary)
    return async (change) => {
      const { rowKey } = change.input.key
      return unread.has(rowKey) ? read(change) : rows.get(rowKey)
    }
  }

  /** Reads the rows of many changes by queries, as long as these cost less than reads one by one. */
  async #readTogether(
    changes: readonly EntityChange[],
    options: CallOptions,
  ): Promise<{
    readonly rows: ReadonlyMap<string, StoredRow>
    /** The RowKeys of the rows that are to be read one by one. */
    readonly unread: ReadonlySet<string>
  }> {
    // Cosmos DB does not sort rows, so only those that came are known.
    const isUnsorted = this.#table.service.endpoint.flavour === 'cosmos'
    const wanted = new Set(changes.map(({ input }) => input.key.rowKey))
    const rows = new Map<string, StoredRow>()
    let unread = [...wanted].toSorted()
    let most = FIRST_FOR_EACH * unread.length
    for (let pays = true; pays && this.#spare > 0; ) {
      const part = { changes, rowKeys: unread, top: Math.min(most, PAGE) }
      const page = await rowsBetween(part, this.#table, options)
      for (const [rowKey, row] of page.rows) if (wanted.has(rowKey)) rows.set(rowKey, row)
      const last = isUnsorted ? undefined : page.rows.at(-1)?.[0]
      const isKnown = (rowKey: string) => rows.has(rowKey) || (last !== undefined && rowKey <= last)
      const left = page.isLast ? [] : unread.filter((rowKey) => !isKnown(rowKey))
      const found = unread.length - left.length
      this.#pay(WORTH * found - page.rows.length)
      // The service may end a page before its first row; another query could meet the same end.
      pays = left.length > 1 && last !== undefined && page.rows.length <= MOST_FOR_EACH * found
      unread = left
      most = MOST_FOR_EACH * left.length
    }
    this.#pay(SINGLE_ADDS * unread.length)
    return { rows, unread: new Set(unread) }
  }

  #pay(rows: number): void {
    this.#spare = Math.min(this.#spare + rows, MOST_SPARE)
  }
}

/** Some rows of the table that changes write. */
interface RowRange {
  /** The changes, all of one partition. */
  readonly changes: readonly EntityChange[]
  /** RowKeys in order; the range is from the first to the last. */
  readonly rowKeys: readonly string[]
  /** How many rows at most are read. */
  readonly top: number
}

/** Reads the first rows of a range. */
async function rowsBetween(
  { changes, rowKeys, top }: RowRange,
  { service, name: table, planner }: ReadTable,
  options: CallOptions,
): Promise<{
  readonly rows: readonly (readonly [string, StoredRow])[]
  readonly isLast: boolean
}> {
  const text = (name: string, operator: 'eq' | 'ge' | 'le', value = '') =>
    comparison(name, operator, literalOf(value, 'String'))
  const filter = and(
    text('PartitionKey', 'eq', changes[0]?.input.key.partitionKey),
    text('RowKey', 'ge', rowKeys[0]),
    text('RowKey', 'le', rowKeys.at(-1)),
  )
  const names = changes.flatMap(({ check }) => check?.names ?? [])
  const select = planner ? undefined : [...new Set(['PartitionKey', 'RowKey', ...names])]
  const query = { table, filter: printFilter(filter), select, top }
  const { entities, continuation } = await perform(service, queryEntities, query, options)
  const rows = entities.map(
    (raw) => [keyOfRaw(raw).rowKey, { raw, etag: etagIn(raw, undefined) }] as const,
  )
  return { rows, isLast: continuation === undefined }
}

/** Reads the row of a change: all of it for a plan, and otherwise what the check reads. */
async function storedRow(
  { input: { key }, check }: EntityChange,
  { service, name: table, planner }: ReadTable,
  options: CallOptions,
): Promise<StoredRow | undefined> {
  const select = planner ? [] : ['PartitionKey', 'RowKey', ...(check?.names ?? [])]
  const found = await perform(service, findEntity, { table, key, select }, options)
  return found && { raw: found.raw, etag: etagIn(found.raw, found.etag) }
}
