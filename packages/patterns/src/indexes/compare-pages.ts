import type { EntityModel } from '@rowkey/mapper'
import {
  and,
  checkEntityKey,
  compareKeys,
  type EntityKey,
  type FilterNode,
  keyOfRaw,
  or,
} from '@rowkey/odata'
import { type Comparison, invalidFrom } from '../derived/compare.ts'
import { beginningFilter, entityFilter, inPartition, textIs } from '../rows/row-filter.ts'
import { scanPages } from '../rows/scan-rows.ts'
import { StoredEntries } from './compare-rows.ts'
import { comparisonOf } from './compare-slices.ts'
import type { EntityIndex } from './index-entry.ts'
import type { EntryFollower, IndexScrub } from './settle-row.ts'

/** How many entries one pass holds in memory. */
const ENTRIES_IN_A_PASS = 200_000

/**
 * Makes the comparison of indexes whose entries lie in partitions of their own. A pass reads up to 200,000 entries of an index, then all
 * rows.
 *
 * @param model - the model of the rows
 * @param follower - returns what brings the entries of a row in step
 * @param most - how many entries one pass holds in memory, up to a page more
 */
export function pageComparison(
  model: EntityModel<object>,
  follower: (scrub: IndexScrub) => EntryFollower,
  most: number = ENTRIES_IN_A_PASS,
): Comparison<EntityIndex> {
  const passes = async function* (scrub: IndexScrub, from: string | undefined) {
    let place: Place | undefined =
      from === undefined ? { at: 0 } : parsePlace(from, scrub.definitions)
    while (place !== undefined) {
      const { at, after }: Place = place
      const index = scrub.definitions[at]
      if (index === undefined) return
      const { entries, end } = await readEntries({ index, after, most }, scrub)
      place = end === undefined ? nextIndex(at, scrub) : { at, after: end }
      yield {
        indexes: [index],
        entries,
        pages: scanPages(scrub.table, entityFilter(model), scrub.options),
        has: (key: EntityKey) =>
          (after === undefined || compareKeys(key, after) > 0) &&
          (end === undefined || compareKeys(key, end) <= 0),
        isFirst: after === undefined,
        isCounted: at === 0 && after === undefined,
        next: place && JSON.stringify(place),
      }
    }
  }
  return comparisonOf(passes, follower)
}

function nextIndex(at: number, { definitions }: IndexScrub): Place | undefined {
  return at + 1 < definitions.length ? { at: at + 1 } : undefined
}

/** The place of the first pass. */
export const FIRST_PAGE: string = JSON.stringify({ at: 0 })

/** Where a pass begins. */
interface Place {
  /** The number of the index. */
  readonly at: number
  /** The key of the last entry that was compared; absent at the beginning of an index. */
  readonly after?: EntityKey | undefined
}

/** The entries of one pass. */
interface Pass extends Pick<Place, 'after'> {
  readonly index: EntityIndex
  /** How many entries it reads, up to a page more. */
  readonly most: number
}

async function readEntries(
  { index, after, most }: Pass,
  { table, options, alive }: IndexScrub,
): Promise<{ readonly entries: StoredEntries; readonly end?: EntityKey }> {
  const entries = new StoredEntries()
  const own = beginningFilter(index.beginning)
  const filter = after === undefined ? own : and(later(after), own)
  // Cosmos DB does not sort rows, so one pass must have all of them.
  const isSorted = table.service.endpoint.flavour !== 'cosmos'
  for await (const page of scanPages(index.tableFor(table), filter, options)) {
    for (const raw of page) entries.add(index, raw)
    await alive()
    const last = page.at(-1)
    if (isSorted && last !== undefined && entries.size >= most)
      return { entries, end: keyOfRaw(last) }
  }
  return { entries }
}

function later({ partitionKey, rowKey }: EntityKey): FilterNode {
  const further = and(inPartition(partitionKey), textIs('RowKey', 'gt', rowKey))
  return or(textIs('PartitionKey', 'gt', partitionKey), further)
}

/** @throws InputError (`InvalidPatternOption`) */
function parsePlace(text: string, indexes: readonly EntityIndex[]): Place {
  try {
    const { at, after }: Place = JSON.parse(text)
    if (after !== undefined) checkEntityKey(after)
    if (Number.isInteger(at) && indexes[at] !== undefined) return { at, after }
  } catch {
    // Any text may come.
  }
  throw invalidFrom(text)
}
