import {
  type FoundEntry,
  type KeptTable,
  type PathPage,
  type PathQuery,
  type RowPath,
  requestsInOrder,
  wantedRow,
} from '@rowkey/mapper'
import {
  and,
  comparison,
  type EntityKey,
  type FilterNode,
  literalOf,
  propertiesIn,
  type RawEntity,
} from '@rowkey/odata'
import { ACCOUNT_BOUNDS } from '@rowkey/query'
import { type CallOptions, findEntity, perform } from '@rowkey/rest'
import type { IndexCatalogue, Standing } from '../catalogue/index-catalogue.ts'
import type { EntityIndex } from '../definitions/index-entry.ts'
import { beginningFilter, inPartition } from '../rows/row-filter.ts'
import { entryReader } from './entry-finder.ts'
import { chooseIndexes, type IndexRange } from './index-choice.ts'

/**
 * Finds the rows of queries by the indexes of a model.
 *
 * @param indexes - the indexes of the model
 * @param catalogue - their states
 */
export function indexPath(
  indexes: readonly EntityIndex[],
  catalogue: IndexCatalogue<EntityIndex>,
): RowPath {
  return {
    // The state is the one that this process read last.
    explain({ filter }, table) {
      const { ranges, reasons } = chooseIndexes(filter, indexes)
      const unread: string[] = []
      for (const { index } of ranges) {
        const standing = catalogue.lastKnown(table, index)
        const { state, trouble } = standing ?? {}
        if (trouble !== undefined) {
          unread.push(`Index ${index.name} is not used: ${trouble.message}`)
        } else if (state === undefined || state === 'readable') {
          const known =
            state === undefined
              ? `The state of index ${index.name} is not read yet: unless it is readable, the filter is sent.`
              : verifiedOf(standing)
          return { index: index.name, reasons: [costOf(index), known] }
        } else unread.push(`Index ${index.name} is not used: its state is ${state}.`)
      }
      return { reasons: [...unread, ...reasons] }
    },

    async fetchPage(query, table, options) {
      for (const range of chooseIndexes(query.filter, indexes).ranges) {
        const { state, trouble } = await catalogue.standing(table, range.index, options)
        const isRead = state === 'readable' && trouble === undefined
        if (isRead) return fetchByIndex(range, query, table, options)
      }
      return undefined
    },
  }
}

/** Says how right an index is known to be: rows that another client wrote have no entries before a repair. */
export function verifiedOf(standing: Standing | undefined): string {
  const at = standing?.row?.verifiedAt
  return at === undefined
    ? 'When it was last verified is not known to this program yet.'
    : `It was last verified at ${new Date(at).toISOString()}.`
}

function costOf({ name, isUnique }: EntityIndex): string {
  return isUnique
    ? `Reads by the unique index ${name}: its entry, and then one entity by its key.`
    : `Reads by the index ${name}: one request for ${KEYS_PER_PAGE} entries, and one read by key for each entity, up to ${ACCOUNT_BOUNDS.ceiling} at once.`
}

/** How many entries are read by one request. */
const KEYS_PER_PAGE = 100

/**
 * Fetches one page of rows by an index. Each row is read by its key and compared with the whole condition, so
 * an entry that is stale or has no row never gives a wrong row.
 */
async function fetchByIndex(
  range: IndexRange,
  query: PathQuery,
  table: KeptTable,
  options: CallOptions,
): Promise<PathPage> {
  const { index, partitionKey } = range
  // A unique index has one entry for the values.
  if (index.isUnique && query.after !== undefined) return { items: [] }
  const read = entryReader(index, table)
  const { entries, isEnd } = await read(entryFilter(range, query.after), KEYS_PER_PAGE, options)
  const wanted = query.top ?? KEYS_PER_PAGE
  const find = ({ row }: FoundEntry, each: CallOptions) => findWanted(row, query, table, each)
  const how = { options, most: wanted, partitionOf: () => partitionKey }
  const items: RawEntity[] = []
  let looked = 0
  for await (const row of requestsInOrder(table.service, entries, find, how)) {
    looked++
    if (row !== undefined) items.push(row)
    if (items.length === wanted) break
  }
  const last = entries[looked - 1]
  return isEnd && looked === entries.length ? { items } : { items, after: last?.row.rowKey }
}

/** Returns the condition on the entries of a range, from the one of a row on. */
function entryFilter(
  { index, partitionKey, beginning, rowBeginning }: IndexRange,
  after: string | undefined,
): FilterNode {
  if (index.isUnique) {
    return and(
      inPartition(partitionKey),
      comparison('RowKey', 'eq', literalOf(beginning, 'String')),
    )
  }
  const own = and(inPartition(partitionKey), beginningFilter(beginning))
  if (after === undefined) return own
  const last = `${beginning}${after.slice(rowBeginning.length)}`
  return and(own, comparison('RowKey', 'gt', literalOf(last, 'String')))
}

/** Reads one row; `undefined` when it does not meet the whole condition, such as after a change of the indexed property. */
async function findWanted(
  key: EntityKey,
  { filter, select }: PathQuery,
  { service, name: table }: KeptTable,
  options: CallOptions,
): Promise<RawEntity | undefined> {
  const names = select && [...new Set([...select, ...propertiesIn(filter)])]
  const found = await perform(service, findEntity, { table, key, select: names }, options)
  return found && wantedRow(found, { filter, select })
}
