import { and, type FilterNode } from '@rowkey/odata'
import { ACCOUNT_BOUNDS } from '@rowkey/query'
import { ServiceError, TransportError } from '@rowkey/rest'
import type { Catalogue, CatalogueEntry } from '../derived/catalogue.ts'
import type { RowPath } from '../lookup/path-source.ts'
import { atPrimary } from '../options/pattern-options.ts'
import { beginningFilter, inPartition, textIs } from '../rows/row-filter.ts'
import { entryReader } from './entry-reader.ts'
import { chooseIndexes, type IndexRange } from './index-choice.ts'
import type { EntityIndex } from './index-entry.ts'

/**
 * Finds the rows of queries by the indexes of a model.
 *
 * @param indexes - the indexes of the model
 * @param catalogue - their states
 */
export function indexPath(indexes: readonly EntityIndex[], catalogue: Catalogue): RowPath {
  return {
    // The state is the one that this process read last.
    explain({ filter, top }, table) {
      const { ranges, reasons } = chooseIndexes(filter, indexes)
      const unread: string[] = []
      for (const { index } of ranges) {
        const entries = catalogue.lastKnown(table)
        const { state = 'building' } = entries?.[index.id] ?? {}
        if (entries === undefined || state === 'readable') {
          const known =
            entries === undefined
              ? `The state of index ${index.name} is not read yet: unless it is readable, the filter is sent.`
              : verifiedOf(entries[index.id])
          return { index: index.name, reasons: [costOf(index, top), known] }
        }
        unread.push(`Index ${index.name} is not used: its state is ${state}.`)
      }
      return { reasons: [...unread, ...reasons] }
    },

    async find({ filter, top, after }, table, options) {
      const { locationMode = table.service.locationMode } = options
      try {
        for (const range of chooseIndexes(filter, indexes).ranges) {
          const { index } = range
          const entries = await catalogue.leased(table, options)
          if (entries[index.id]?.state !== 'readable') continue
          // A unique index has one entry for the values, so another one, or the filter, had the rows before.
          if (index.isUnique && after !== undefined) continue
          // The secondary may lack entries of a build, although it has had their rows for long.
          const read = entryReader(index, table)
          return await read(entryFilter(range, after), top, atPrimary(options))
        }
      } catch (error) {
        // The secondary has the rows of the filter.
        if (locationMode === 'primaryOnly' || !isUnreachable(error)) throw error
      }
      return undefined
    },
  }
}

/** Tells whether a location did not respond, or could not. */
function isUnreachable(error: unknown): boolean {
  return error instanceof TransportError || (error instanceof ServiceError && error.status >= 500)
}

/** Says how right an index is known to be: rows that another client wrote have no entries before a repair. */
export function verifiedOf(entry: CatalogueEntry | undefined): string {
  const at = entry?.verifiedAt
  return at === undefined
    ? 'When it was last verified is not known to this program yet.'
    : `It was last verified at ${new Date(at).toISOString()}.`
}

function costOf({ name, isUnique }: EntityIndex, top: number): string {
  return isUnique
    ? `Reads by the unique index ${name}: its entry, and then one entity by its key.`
    : `Reads by the index ${name}: one request for ${top} entries, and one read by key for each entity, up to ${ACCOUNT_BOUNDS.ceiling} at once.`
}

/** Returns the condition on the entries of a range, from the one of a row on. */
function entryFilter(
  { index, partitionKey, beginning }: IndexRange,
  after: string | undefined,
): FilterNode {
  if (index.isUnique) {
    return and(inPartition(partitionKey), textIs('RowKey', 'eq', beginning))
  }
  const own = and(inPartition(partitionKey), beginningFilter(beginning))
  if (after === undefined) return own
  // What follows the fixed beginning of a RowKey ends the key of its entry.
  const last = `${beginning}${after.slice(index.model.rowKey.prefix({}).length)}`
  return and(own, textIs('RowKey', 'gt', last))
}
