import type { EntityModel, KeptTable } from '@rowkey/mapper'
import {
  and,
  compareKeys,
  comparison,
  type EntityKey,
  type FilterNode,
  keyOfRaw,
  literalOf,
  or,
} from '@rowkey/odata'
import type { CallOptions } from '@rowkey/rest'
import type { EntityIndex } from '../definitions/index-entry.ts'
import { beginningFilter, entityFilter } from '../rows/row-filter.ts'
import { scanPages } from '../rows/scan-rows.ts'
import { keyText } from '../rows/stored-row.ts'
import {
  type ComparedRow,
  compareRows,
  type Difference,
  type StoredEntries,
  type StoredEntry,
  wrongRows,
} from '../upkeep/compare-rows.ts'
import {
  type ComparedPart,
  type Comparison,
  findAll,
  invalidFrom,
  type Scrub,
} from '../upkeep/comparison.ts'
import type { IndexFinding } from '../upkeep/index-finding.ts'
import { type EntryFollower, type RowScrub, settleRow } from '../upkeep/settle-row.ts'
import { followRow } from './follow-row.ts'

/** How many entries one pass holds in memory. */
const ENTRIES_IN_A_PASS = 200_000

/**
 * Makes the comparison of indexes whose entries lie in partitions of their own. A pass reads up to 200,000 entries of an index, then all
 * rows, and compares them in memory. Each difference is read again before it counts.
 *
 * @param model - the model of the rows
 * @param table - their table
 * @param isPending - tells whether a row has a message that was not followed yet
 * @param most - how many entries one pass holds in memory, up to a page more
 */
export function pageComparison(
  model: EntityModel<object>,
  table: KeptTable,
  isPending: (options: CallOptions) => EntryFollower['isPending'],
  most: number = ENTRIES_IN_A_PASS,
): Comparison {
  return async function* (scrub, from) {
    const follower: EntryFollower = {
      isPending: isPending(scrub.options),
      follow: (indexes, row, entries) => followRow(indexes, table, { row, entries }, scrub.options),
    }
    const followed = { ...scrub, table, follower }
    let place = from === undefined ? { at: 0 } : parsePlace(from, scrub.indexes)
    for (;;) {
      const index = scrub.indexes[place.at]
      if (index === undefined) return
      const { part, end } = await comparePass({ model, index, place, most }, followed)
      const next: Place = end === undefined ? { at: place.at + 1 } : { at: place.at, after: end }
      const isLast = next.at === scrub.indexes.length
      yield { ...part, next: isLast ? undefined : JSON.stringify(next) }
      place = next
    }
  }
}

/** Where a pass begins. */
interface Place {
  /** The number of the index. */
  readonly at: number
  /** The key of the last entry that was compared; absent at the beginning of an index. */
  readonly after?: EntityKey | undefined
}

/** One pass over the entries of an index and all rows. */
interface Pass {
  readonly model: EntityModel<object>
  readonly index: EntityIndex
  readonly place: Place
  /** How many entries it reads, up to a page more. */
  readonly most: number
}

async function comparePass(
  { model, index, place: { at, after }, most }: Pass,
  scrub: Scrub & RowScrub,
): Promise<{ readonly part: Omit<ComparedPart, 'next'>; readonly end: EntityKey | undefined }> {
  const { entries, end } = await readEntries({ index, after, most }, scrub)
  const isHere = ({ key }: Difference): boolean =>
    (after === undefined || compareKeys(key, after) > 0) &&
    (end === undefined || compareKeys(key, end) <= 0)
  const findings: IndexFinding[] = []
  const claimed = new Set<string>()
  const own = { ...scrub, indexes: [index] }
  const settle = (row: ComparedRow, call: CallOptions) => settleRow({ ...own, options: call }, row)
  let rows = 0
  const { table, options } = scrub
  for await (const page of scanPages(table, entityFilter(model), options)) {
    const compared = compareRows([index], page, entries)
    if (after === undefined) findings.push(...compared.unreadable)
    for (const key of compared.claimed) if (entries.has(key)) claimed.add(key)
    const wrong = [...compared.rows.values()].filter((row) => row.differences.some(isHere))
    findings.push(...(await findAll(table, wrong, settle, scrub)))
    rows += page.length
    await scrub.alive()
  }
  const strays = wrongRows({ rows: new Map(), claimed }, entries)
  // What their rows lack was found with the rows.
  const found = await findAll(table, strays, settle, scrub)
  findings.push(...found.filter(({ kind }) => kind === 'dangling'))
  const isFirst = at === 0 && after === undefined
  return { part: { rows: isFirst ? rows : 0, entries: entries.size, findings }, end }
}

/** Reads the entries of one pass. */
async function readEntries(
  { index, after, most }: Pick<Pass, 'index' | 'most'> & Pick<Place, 'after'>,
  { table, options, alive }: Scrub & RowScrub,
): Promise<{ readonly entries: StoredEntries; readonly end?: EntityKey }> {
  const entries = new Map<string, StoredEntry>()
  const own = beginningFilter(index.beginning)
  const filter = after === undefined ? own : and(later(after), own)
  // Cosmos DB does not sort rows, so one pass must have all of them.
  const isSorted = table.service.endpoint.flavour !== 'cosmos'
  for await (const page of scanPages(index.tableFor(table), filter, options)) {
    for (const raw of page) entries.set(keyText(keyOfRaw(raw)), { index, raw })
    await alive()
    const last = page.at(-1)
    if (isSorted && last !== undefined && entries.size >= most)
      return { entries, end: keyOfRaw(last) }
  }
  return { entries }
}

function later({ partitionKey, rowKey }: EntityKey): FilterNode {
  const text = (name: string, operator: 'eq' | 'gt', value: string) =>
    comparison(name, operator, literalOf(value, 'String'))
  return or(
    text('PartitionKey', 'gt', partitionKey),
    and(text('PartitionKey', 'eq', partitionKey), text('RowKey', 'gt', rowKey)),
  )
}

/** @throws InputError (`InvalidPatternOption`) */
function parsePlace(text: string, indexes: readonly EntityIndex[]): Place {
  const place = placeIn(text)
  if (place !== undefined && indexes[place.at] !== undefined) return place
  throw invalidFrom(text)
}

function placeIn(text: string): Place | undefined {
  try {
    const { at, after } = Object(JSON.parse(text)) as Partial<Place>
    const { partitionKey, rowKey } = Object(after) as Partial<EntityKey>
    const isKey = typeof partitionKey === 'string' && typeof rowKey === 'string'
    if (!Number.isInteger(at) || (after !== undefined && !isKey)) return undefined
    return { at: at as number, after: isKey ? { partitionKey, rowKey } : undefined }
  } catch {
    return undefined
  }
}
