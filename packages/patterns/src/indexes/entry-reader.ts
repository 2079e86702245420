import type { KeptTable } from '@rowkey/mapper'
import {
  and,
  evaluateFilter,
  type FilterNode,
  keyBounds,
  keyOfRaw,
  printFilter,
  type RawEntity,
  readProperty,
} from '@rowkey/odata'
import { type CallOptions, findEntity, perform } from '@rowkey/rest'
import type { EntryFinder } from '../lookup/entry-query.ts'
import type { FoundEntry } from '../lookup/entry-rows.ts'
import { beginningFilter, textIs } from '../rows/row-filter.ts'
import { firstRows, scanRows } from '../rows/scan-rows.ts'
import { isSameKey } from '../rows/stored-row.ts'
import { Unreadable } from '../rows/unreadable.ts'
import { OWNER, OWNER_PARTITION } from './index-checks.ts'
import type { EntityIndex } from './index-entry.ts'

const SELECT = ['PartitionKey', 'RowKey', OWNER, OWNER_PARTITION]

/** Makes what reads the entries of an index in the order of their keys: one by its key, and others by a range. */
export function entryReader(index: EntityIndex, table: KeptTable): EntryFinder['find'] {
  const entryTable = index.tableFor(table)
  const isUnsorted = table.service.endpoint.flavour === 'cosmos'
  const found = (raw: RawEntity): readonly FoundEntry[] => {
    const row = index.rowOf(raw)
    if (row === undefined) return []
    const key = keyOfRaw(raw)
    const isOf = (stored: RawEntity): boolean => {
      const own = index.readEntry(stored)
      // A row that the model cannot read is left to the query, which knows what to do with it.
      return own instanceof Unreadable || (own !== undefined && isSameKey(own.key, key))
    }
    return [{ key, row, isOf }]
  }
  return async (filter, top, options) => {
    const bounds = keyBounds(filter)
    const [partitionKey, rowKey] = [bounds.partitionKey.exact, bounds.rowKey.exact]
    if (filter !== undefined && partitionKey !== undefined && rowKey !== undefined) {
      const { service, name } = entryTable
      const input = { table: name, key: { partitionKey, rowKey }, select: SELECT }
      const { raw } = (await perform(service, findEntity, input, options)) ?? {}
      const isMet = raw && evaluateFilter(filter, (property) => readProperty(raw, property))
      return { entries: isMet ? found(raw) : [], isEnd: true }
    }
    // Another program may have stored other rows among the entries, and a page of these would end the query.
    const own = and(beginningFilter(index.beginning), entriesOnly(index))
    const all = filter === undefined ? own : and(filter, own)
    const fetch = isUnsorted ? sortedEntries : nextEntries
    const { raws, isEnd } = await fetch(entryTable, all, top, options)
    return { entries: raws.flatMap(found), isEnd }
  }
}

/** Returns the condition that rows of other programs among the entries do not meet. */
export function entriesOnly({ isEventual }: EntityIndex): FilterNode {
  return textIs(isEventual ? OWNER_PARTITION : OWNER, 'ge', '')
}

/** Some entries as they are stored. */
interface Entries {
  readonly raws: readonly RawEntity[]
  /** Whether no further entry follows. */
  readonly isEnd: boolean
}

/** Reads the next entries, over as many empty pages as come. */
async function nextEntries(
  { service, name: table }: KeptTable,
  filter: FilterNode,
  top: number,
  options: CallOptions,
): Promise<Entries> {
  const query = { table, filter: printFilter(filter), select: SELECT, top }
  const { entities, continuation } = await firstRows(service, query, options)
  return { raws: entities, isEnd: continuation === undefined }
}

/** Reads all entries and sorts them, because Cosmos DB does not. */
async function sortedEntries(
  table: KeptTable,
  filter: FilterNode,
  top: number,
  options: CallOptions,
): Promise<Entries> {
  const raws: RawEntity[] = []
  for await (const raw of scanRows(table, filter, options, SELECT)) raws.push(raw)
  return { raws: raws.slice(0, top), isEnd: raws.length <= top }
}
