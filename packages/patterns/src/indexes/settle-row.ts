import type { EntityKey } from '@rowkey/odata'
import { type Change, insertOrReplaceEntity } from '@rowkey/rest'
import type { DerivedFinding, Scrub } from '../derived/compare.ts'
import { keeping, removing, storeTogether, untouched } from '../rows/changes.ts'
import { etagOf, findStored, isSameKey, keyText } from '../rows/stored-row.ts'
import { compareRows, type Difference, StoredEntries } from './compare-rows.ts'
import type { EntityIndex } from './index-entry.ts'

/** How often a row that writers change is compared again. */
const MAX_ATTEMPTS = 10

/** How the rows of a table are compared with the entries of some indexes. */
export interface IndexScrub extends Scrub<EntityIndex> {
  /** Brings entries in step later; absent for entries that are written together with their rows. */
  readonly follower?: EntryFollower | undefined
}

/** Brings the entries of a row in step after its write. */
export interface EntryFollower {
  /** Milliseconds after which a write without a response no longer arrives. */
  readonly writeTimeout: number
  /** Reads the messages about the rows of a partition, and returns what tells which of their differences a worker will mend that follows them. */
  pending(partitionKey: string): Promise<(difference: Difference) => boolean>
  /** Brings entries of a row in step now. */
  follow(row: EntityKey, entries: readonly EntityKey[]): Promise<void>
}

/** What is wrong with the entries of one row. */
export type WrongRow = readonly [Difference, ...Difference[]]

/** Puts the differences of each row together. */
export function wrongRows(differences: readonly Difference[]): readonly WrongRow[] {
  const rows = new Map<string, [Difference, ...Difference[]]>()
  for (const each of differences) {
    const known = rows.get(keyText(each.row))
    if (known === undefined) rows.set(keyText(each.row), [each])
    else known.push(each)
  }
  return [...rows.values()]
}

/**
 * Reads the differences of a row again, and repairs them if asked to. A difference counts when two reads in a row have found it, between
 * which neither the row nor the entry changed, and when no message waits that mends it.
 *
 * @param scrub - how
 * @param compared - what the first read has found
 * @returns what was wrong
 */
export async function settleRow(
  scrub: IndexScrub,
  compared: WrongRow,
): Promise<readonly DerivedFinding[]> {
  const [{ row }] = compared
  let last: WrongRow | undefined = compared
  for (let attempt = 1; last !== undefined; attempt++) {
    const isPending = (await scrub.follower?.pending(row.partitionKey)) ?? isNever
    const before: readonly Difference[] = last.filter((each) => !isPending(each))
    last = await readAgain(scrub, before)
    const isLast = attempt === MAX_ATTEMPTS
    if (last === undefined || (versionOf(last) !== versionOf(before) && !isLast)) continue
    const isRepaired = scrub.repair && (await repairRow(scrub, last))
    if (!scrub.repair || isRepaired || isLast) return findings(last, isRepaired)
  }
  return []
}

function isNever(): boolean {
  return false
}

/** Reads entries of a row, and then the row, and compares them. */
async function readAgain(
  { table, options }: IndexScrub,
  differences: readonly Difference[],
): Promise<WrongRow | undefined> {
  const found = await Promise.all(
    differences.map(async ({ index, key, row }) => {
      const entry = await findStored(index.tableFor(table), key, options)
      // The row that has a unique value is read, too: it may have left the value.
      return { index, entry, rows: [row, (entry && index.rowOf(entry)) ?? row] }
    }),
  )
  const keys = new Map(found.flatMap(({ rows }) => rows).map((each) => [keyText(each), each]))
  const raws = await Promise.all(
    Array.from(keys.values(), (each) => findStored(table, each, options)),
  )
  const entries = new StoredEntries()
  for (const { index, entry } of found) if (entry !== undefined) entries.add(index, entry)
  const indexes = [...new Set(found.map(({ index }) => index))]
  const present = raws.filter((each) => each !== undefined)
  const compared = compareRows(indexes, present, entries, table).differences
  const again = [...compared, ...entries.left()].filter(({ key, row }) =>
    differences.some((each) => isSameKey(each.key, key) && isSameKey(each.row, row)),
  )
  return wrongRows(again)[0]
}

/** Prints what was found and at which versions. */
function versionOf(differences: readonly Difference[]): string {
  const found = differences.map(({ kind, key, raw, stored }) =>
    [kind, keyText(key), raw && etagOf(raw), stored && etagOf(stored)].join(' '),
  )
  return found.sort().join('\n')
}

/** Repairs the entries of a row; returns whether they are as they should be now. */
async function repairRow(
  { table, follower, options }: IndexScrub,
  differences: WrongRow,
): Promise<boolean> {
  if (follower !== undefined) {
    const entries = differences.map(({ key }) => key)
    await follower.follow(differences[0].row, entries)
    return true
  }
  const changes = repairOf(table.name, differences)
  return changes.length === 0 || (await storeTogether(table, changes, options)) !== undefined
}

/** Makes the changes that put a row right. They fail when the row or one of its entries changed since it was read. */
export function repairOf(table: string, differences: WrongRow): readonly Change[] {
  const [{ row, raw }] = differences
  const changes = differences.flatMap((each) => changeOf(table, each))
  return raw === undefined || changes.length === 0
    ? changes
    : [untouched(table, row, etagOf(raw)), ...changes]
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
export function findings(differences: WrongRow, isRepaired: boolean): readonly DerivedFinding[] {
  return differences.map(({ kind, index, key: kept, row }) => {
    return { name: index.name, kind, row, kept, repaired: isRepaired && kind !== 'duplicate' }
  })
}
