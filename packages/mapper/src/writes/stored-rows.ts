import { and, comparison, keyOfRaw, literalOf, printFilter } from '@rowkey/odata'
import { type Call, type ContinuationToken, findEntity, queryEntities } from '@rowkey/rest'
import { etagIn } from '../codec/class-codec.ts'
import { keepersIn } from '../keep/keepers.ts'
import { Row } from '../member/row.ts'
import type { TableParts } from '../rows/table-parts.ts'
import type { Write } from './write.ts'

/** A row as it is stored now. */
interface StoredRow {
  readonly row: Row
  readonly etag: string | undefined
}

/** What `readAhead` found for a write. */
interface ReadAhead {
  /** Whether all properties were read. */
  readonly isWhole: boolean
  /** Whether it is known what is stored. Otherwise the row is read by its key. */
  readonly isKnown: boolean
  /** The row; `undefined` for a missing one. */
  readonly row?: StoredRow | undefined
}

/** Reads the stored row of a write; `undefined` for a missing one. */
export type RowRead = (write: Write) => Promise<StoredRow | undefined>

/** The table whose rows are read. */
type ReadTable = Pick<TableParts<object>, 'service' | 'name' | 'kept'>

/** So many rows of one partition are read by a query. Fewer are read one by one. */
const FEWEST_TOGETHER = 10
/** The first query may read so many rows for each that is wanted. */
const FIRST_FOR_EACH = 10
/** After a query that read more rows for each that is wanted, the others are read one by one. */
const MOST_FOR_EACH = 125
/** The most rows of one page. */
const PAGE = 1_000
/** How many useless rows queries may read before the rest is read one by one. */
const MOST_SPARE = 10_000
/** One row found by a query may cost as much as reading so many rows, because it saves a request. */
const WORTH = 25
/** Each row that is read by its key adds so many useless rows that queries may read. */
const SINGLE_ADDS = 5
/** So many pages are read together: what is read ahead stays in memory. */
const MOST_PAGES = 20

/**
 * Reads the rows that the writes of a table depend on. Many rows of one partition are read by queries over the range of their keys. When
 * too many other rows lie between them, the rest is read one by one.
 */
export class StoredRows {
  readonly #table: ReadTable
  /** What was read for writes that are not sent yet, by their inputs: these stay the same until the writes are bound. */
  readonly #ahead = new WeakMap<Write['input'], ReadAhead>()
  /** With keys in random order, every query loses a little. This balance stops them. */
  #spare = MOST_SPARE

  /** @param table - the table of the rows */
  constructor(table: ReadTable) {
    this.#table = table
  }

  /** Tells whether `readAhead` was called for a write, or has found its row. */
  isAhead(write: Write): boolean {
    return this.#aheadOf(write) !== undefined
  }

  /** A keeper that was declared since may need other properties. */
  #aheadOf({ input }: Write): ReadAhead | undefined {
    const ahead = this.#ahead.get(input)
    return ahead?.isWhole || !needsWhole(this.#table) ? ahead : undefined
  }

  /**
   * Reads rows before their writes are sent, if that costs less than reads one by one.
   *
   * @param made - writes of one partition that will be sent next
   * @param next - those that will follow in this order
   */
  async readAhead(made: readonly Write[], next: readonly Write[], call: Call): Promise<void> {
    const writes = [...made, ...next]
    const isWhole = needsWhole(this.#table)
    const rows = await this.#readTogether(writes, call)
    for (const { input } of made) this.#ahead.set(input, { isWhole, isKnown: false })
    for (const { input } of writes) {
      const { rowKey } = input.key
      if (rows.has(rowKey)) {
        this.#ahead.set(input, { isWhole, isKnown: true, row: rows.get(rowKey) })
      }
      rows.delete(rowKey) // a second write of the row will start from what the first one stores
    }
  }

  /**
   * Makes what reads the rows of some writes of one partition.
   *
   * @param writes - those whose rows are needed
   */
  async of(writes: readonly Write[], call: Call): Promise<RowRead> {
    const unread = writes.filter((write) => !this.isAhead(write))
    const rows = await this.#readTogether(unread, call)
    return async (write) => {
      const { rowKey } = write.input.key
      const ahead = this.#aheadOf(write)
      this.#ahead.delete(write.input) // after a conflict, it is read again
      if (ahead?.isKnown) return ahead.row
      if (rows.has(rowKey)) return rows.get(rowKey)
      this.#pay(SINGLE_ADDS)
      return storedRow(write, this.#table, call.atPrimary())
    }
  }

  /**
   * Reads the rows of many writes by queries, as long as these cost less than reads one by one.
   *
   * @returns what was found by RowKey; `undefined` for a missing row
   */
  async #readTogether(
    writes: readonly Write[],
    call: Call,
  ): Promise<Map<string, StoredRow | undefined>> {
    // Cosmos DB does not sort rows: those that came are known, and after the last page all others are missing.
    const isUnsorted = this.#table.service.endpoint.flavour === 'cosmos'
    const known = new Map<string, StoredRow | undefined>()
    if (writes.length < FEWEST_TOGETHER) return known
    let unread = [...new Set(writes.map(({ input }) => input.key.rowKey))].toSorted()
    let part: RowRange = { writes, rowKeys: unread, top: FIRST_FOR_EACH * unread.length }
    let pays = true
    for (let pages = 0; pays && pages < MOST_PAGES && this.#spare > 0; pages++) {
      const page = await rowsBetween(part, this.#table, call.atPrimary())
      const { continuation } = page
      const last = isUnsorted ? undefined : page.rows.at(-1)?.[0]
      const rows = new Map(page.rows)
      const isKnown = (rowKey: string) =>
        continuation === undefined || rows.has(rowKey) || (last !== undefined && rowKey <= last)
      const found = unread.filter(isKnown)
      for (const rowKey of found) known.set(rowKey, rows.get(rowKey))
      unread = unread.filter((rowKey) => !known.has(rowKey))
      this.#pay(WORTH * found.length - page.rows.length)
      // The service may end a page before its first row; another query could meet the same end.
      const isWorth = page.rows.length > 0 && page.rows.length <= MOST_FOR_EACH * found.length
      pays = unread.length > 1 && isWorth
      const next = isUnsorted ? { continuation } : { rowKeys: unread }
      part = { ...part, ...next, top: MOST_FOR_EACH * unread.length }
    }
    return known
  }

  #pay(rows: number): void {
    this.#spare = Math.min(this.#spare + rows, MOST_SPARE)
  }
}

/** Some rows of the table. */
interface RowRange {
  /** The writes, all of one partition. */
  readonly writes: readonly Write[]
  /** RowKeys in order; the range is from the first to the last. */
  readonly rowKeys: readonly string[]
  /** How many rows at most are read, up to a page. */
  readonly top: number
  /** Where an earlier page of the range ended. */
  readonly continuation?: ContinuationToken | undefined
}

/** Reads the first rows of a range. */
async function rowsBetween(
  { writes, rowKeys, top, ...from }: RowRange,
  readTable: ReadTable,
  call: Call,
): Promise<{
  readonly rows: readonly (readonly [string, StoredRow])[]
  readonly continuation: ContinuationToken | undefined
}> {
  const text = (name: string, operator: 'eq' | 'ge' | 'le', value = '') =>
    comparison(name, operator, literalOf(value, 'String'))
  const filter = and(
    text('PartitionKey', 'eq', writes[0]?.input.key.partitionKey),
    text('RowKey', 'ge', rowKeys[0]),
    text('RowKey', 'le', rowKeys.at(-1)),
  )
  const names = writes.flatMap(namesFor)
  const isWhole = needsWhole(readTable)
  const select = isWhole ? undefined : [...new Set(['PartitionKey', 'RowKey', ...names])]
  const { name: table } = readTable
  const query = { table, filter: printFilter(filter), select, top: Math.min(top, PAGE), ...from }
  const { entities, continuation } = await call.perform(queryEntities, query)
  const rows = entities.map(
    (raw) => [keyOfRaw(raw).rowKey, { row: Row.read(raw), etag: etagIn(raw, undefined) }] as const,
  )
  return { rows, continuation }
}

/** Whether all properties are read: what keepers store may depend on any of them. */
function needsWhole({ kept }: ReadTable): boolean {
  return keepersIn(kept) !== undefined
}

/** The stored names that binding a write reads. */
function namesFor({ check, creation }: Write): readonly string[] {
  const names = check?.names ?? []
  return creation === undefined ? names : [...names, creation.column.name]
}

/** Reads the row of a write: all of it for a plan, and otherwise what the check reads. */
async function storedRow(
  write: Write,
  readTable: ReadTable,
  call: Call,
): Promise<StoredRow | undefined> {
  const { name: table } = readTable
  const { key } = write.input
  const select = needsWhole(readTable) ? [] : ['PartitionKey', 'RowKey', ...namesFor(write)]
  const found = await call.perform(findEntity, { table, key, select })
  return found && { row: Row.read(found.raw), etag: etagIn(found.raw, found.etag) }
}
