import type { KeptTable } from '@rowkey/mapper'
import type { EntityKey, RawEntity } from '@rowkey/odata'
import { type CallOptions, type Change, insertOrReplaceEntity } from '@rowkey/rest'
import type { EntityIndex } from '../definitions/index-entry.ts'
import { keeping, removing, storeTogether, untouched } from '../rows/changes.ts'
import { etagOf, findStored, isSameKey, keyText } from '../rows/stored-row.ts'
import { type ComparedRow, compareRows, type Difference, StoredEntries } from './compare-rows.ts'
import type { IndexFinding } from './index-finding.ts'

/** How often a row that writers change is compared again. */
const MAX_ATTEMPTS = 10

/** How single rows are compared with their entries, with reads of their own. */
export interface RowScrub {
  /** The table of the rows. */
  readonly table: KeptTable
  readonly indexes: readonly EntityIndex[]
  /** Whether differences are repaired. */
  readonly repair: boolean
  readonly options: CallOptions
  /** Brings entries in step later; absent for entries that are written together with their rows. */
  readonly follower?: EntryFollower | undefined
}

/** Brings the entries of a row in step after its write. */
export interface EntryFollower {
  /** Reads the messages about a row, and returns what tells which of its differences a worker will mend that follows them. */
  pending(row: EntityKey): Promise<(difference: Difference) => boolean>
  /** Brings entries of a row in step now. */
  follow(index: EntityIndex, row: EntityKey, entries: readonly EntityKey[]): Promise<void>
}

/**
 * Reads a row with differences again, and repairs them if asked to. A difference counts when two reads in a row have found it, between
 * which neither the row nor the entry changed, and when no message waits that mends it.
 *
 * @param scrub - how
 * @param compared - what the first read has found
 * @returns what was wrong
 */
export async function settleRow(
  scrub: RowScrub,
  compared: ComparedRow,
): Promise<readonly IndexFinding[]> {
  let last: ComparedRow = {
    ...compared,
    raw: compared.raw ?? (await findStored(scrub.table, compared.key, scrub.options)),
  }
  for (let attempt = 1; ; attempt++) {
    if (last.differences.length === 0) return []
    const isPending = (await scrub.follower?.pending(last.key)) ?? isNever
    const before = without(last, isPending)
    if (before.differences.length === 0) return []
    const again = without(await readAgain(scrub, before), isPending)
    const isSettled = versionOf(again) === versionOf(before) || attempt === MAX_ATTEMPTS
    last = again
    if (!isSettled) continue
    const isRepaired = scrub.repair && (await repairRow(scrub, last))
    if (!scrub.repair || isRepaired || attempt === MAX_ATTEMPTS) return findings(last, isRepaired)
  }
}

function isNever(): boolean {
  return false
}

function without(row: ComparedRow, isPending: (difference: Difference) => boolean): ComparedRow {
  return { ...row, differences: row.differences.filter((each) => !isPending(each)) }
}

/** Reads a row after the entries that it had or should have, and compares them. */
async function readAgain(
  scrub: RowScrub,
  { key, raw, differences }: ComparedRow,
): Promise<ComparedRow> {
  const { table, indexes, options } = scrub
  const wanted = raw === undefined ? [] : indexes.flatMap((index) => wantedKey(index, raw))
  const places = new Map([...wanted, ...differences].map((each) => [keyText(each.key), each]))
  const found = await Promise.all(
    Array.from(places.values(), async ({ index, key: entry }) => {
      return { index, entry: await findStored(index.tableFor(table), entry, options) }
    }),
  )
  const entries = new StoredEntries()
  for (const { index, entry } of found) if (entry !== undefined) entries.add(index, entry)
  // The row that has a unique value is read, too: it may have left the value.
  const owners = found.map(({ index, entry }) => (entry && index.rowOf(entry)) ?? key)
  const keys = new Map([key, ...owners].map((each) => [keyText(each), each]))
  const rows = await Promise.all(
    Array.from(keys.values(), (each) => findStored(table, each, options)),
  )
  const present = rows.filter((each) => each !== undefined)
  const compared = [...compareRows(indexes, present, entries), ...entries.left()]
  const own = compared.find((each) => isSameKey(each.key, key))
  return own ?? { key, unreadable: [], differences: [] }
}

function wantedKey(index: EntityIndex, raw: RawEntity) {
  const wanted = index.readEntry(raw)
  return wanted !== undefined && 'key' in wanted ? [{ index, key: wanted.key }] : []
}

/** Prints what was found and at which versions. */
function versionOf({ raw, differences }: ComparedRow): string {
  const found = differences.map(
    ({ kind, key, stored }) => `${kind} ${keyText(key)} ${stored && etagOf(stored)}`,
  )
  return JSON.stringify([raw && etagOf(raw), found.sort()])
}

/** Repairs a row; returns whether its entries are as they should be now. */
async function repairRow(
  { table, follower, options }: RowScrub,
  compared: ComparedRow,
): Promise<boolean> {
  if (follower !== undefined) {
    const keysOf = (index: EntityIndex) =>
      compared.differences.flatMap((each) => (each.index === index ? each.key : []))
    for (const index of new Set(compared.differences.map((each) => each.index))) {
      await follower.follow(index, compared.key, keysOf(index))
    }
    return true
  }
  const changes = repairOf(table.name, compared)
  return changes.length === 0 || (await storeTogether(table, changes, options)) !== undefined
}

/** Makes the changes that put a row right. They fail when the row or one of its entries changed since it was read. */
export function repairOf(table: string, { key, raw, differences }: ComparedRow): readonly Change[] {
  const changes = differences.flatMap((each) => changeOf(table, each))
  return raw === undefined || changes.length === 0
    ? changes
    : [untouched(table, key, etagOf(raw)), ...changes]
}

function changeOf(
  table: string,
  { kind, index, key, wanted, stored }: Difference,
): readonly Change[] {
  if (kind === 'duplicate') return []
  if (wanted === undefined) return stored ? [removing(table, key, etagOf(stored))] : []
  const input = { table, key, body: wanted.body }
  if (!index.isUnique) return [{ operation: insertOrReplaceEntity, input }]
  return [keeping(input, stored && etagOf(stored))]
}

/** Reports the differences of a row. A duplicate cannot be repaired. */
export function findings(
  { key: row, differences }: ComparedRow,
  isRepaired: boolean,
): readonly IndexFinding[] {
  return differences.map(({ kind, index, key: entry }) => {
    return { index: index.name, kind, row, entry, repaired: isRepaired && kind !== 'duplicate' }
  })
}
