import { pickMembers, requestsInOrder } from '@rowkey/mapper'
import {
  type EntityKey,
  EntityProperty,
  evaluateFilter,
  type FilterNode,
  type RawEntity,
  readProperty,
} from '@rowkey/odata'
import type { Call } from '@rowkey/rest'

/** An entry that leads to a row. */
export interface FoundEntry {
  /** The key of the entry. */
  readonly key: EntityKey
  /** The key of its row. */
  readonly row: EntityKey
  /**
   * Tells whether the entry is that of the row now. The row is read after the entry, and may have changed.
   *
   * @param raw - the row as it is stored
   */
  isOf(raw: RawEntity): boolean
}

/** The first entries of some that lead to the rows of a query. */
export interface FoundEntries {
  /** The entries, in order. */
  readonly entries: readonly FoundEntry[]
  /** Whether no further entry follows. */
  readonly isEnd: boolean
}

/** The most entries that are read by one request when the caller does not say how many rows a page has. */
export const MOST_ENTRIES = 100

/** How {@link rowsOf} reads the rows of entries. */
export interface EntryReads {
  /** The call that reads them. */
  readonly call: Call
  /** Reads the row of an entry; `undefined` when the query does not want it. */
  readonly read: (entry: FoundEntry, call: Call) => Promise<RawEntity | undefined>
  /** How many rows are wanted. */
  readonly most: number
}

/**
 * Reads the rows of entries, several at a time and in their order.
 *
 * @returns the wanted rows, and how many entries were looked at for them
 */
export async function rowsOf(
  entries: readonly FoundEntry[],
  { call, read, most }: EntryReads,
): Promise<{ readonly items: readonly RawEntity[]; readonly looked: number }> {
  const partitionOf = ({ row }: FoundEntry) => row.partitionKey
  const items: RawEntity[] = []
  let looked = 0
  for await (const raw of requestsInOrder(call, entries, read, { most, partitionOf })) {
    looked++
    if (raw !== undefined) items.push(raw)
    if (items.length === most) break
  }
  return { items, looked }
}

/** What a query wants of a row that was read by its key. */
export interface WantedRow {
  /** The condition that the row meets; absent for all. */
  readonly filter?: FilterNode | undefined
  /** The stored names; all when absent. */
  readonly select?: readonly string[] | undefined
}

/**
 * Returns a row that was read by its key as a query would have: without the properties that are not selected.
 *
 * @param raw - the row as it is stored, with its ETag
 * @param wanted - the query
 * @param key - the key that conditions compare, when it is another than that of the row
 * @returns `undefined` when the row does not meet the condition
 */
export function wantedRow(
  raw: RawEntity,
  { filter, select }: WantedRow,
  key?: EntityKey,
): RawEntity | undefined {
  const property = (name: string): EntityProperty | undefined => {
    if (key !== undefined && name === 'PartitionKey') return EntityProperty.string(key.partitionKey)
    if (key !== undefined && name === 'RowKey') return EntityProperty.string(key.rowKey)
    return readProperty(raw, name)
  }
  if (filter !== undefined && !evaluateFilter(filter, property)) return undefined
  if (select === undefined) return { ...raw }
  return pickMembers(raw, (name) => name.startsWith('odata.') || select.includes(name))
}
