import { type EntityKey, keyOfRaw, type RawEntity } from '@rowkey/odata'
import type { EntityIndex, IndexEntry } from '../definitions/index-entry.ts'
import { Unreadable } from '../rows/partition-rows.ts'
import { isSameKey, keyText } from '../rows/stored-row.ts'
import type { IndexFinding } from './index-finding.ts'

/** An entry as it was read. */
export interface StoredEntry {
  readonly index: EntityIndex
  readonly raw: RawEntity
}

/** Entries that were read, by the texts of their keys. */
export type StoredEntries = ReadonlyMap<string, StoredEntry>

/** An entry that is not as its row says. */
export interface Difference {
  readonly kind: 'missing' | 'stale' | 'dangling' | 'duplicate'
  readonly index: EntityIndex
  /** The key of the entry. */
  readonly key: EntityKey
  /** The entry that should be stored; absent for one that should not be. */
  readonly wanted?: IndexEntry | undefined
  /** The entry as it was read. */
  readonly stored?: RawEntity | undefined
}

/** A row, and what is wrong with its entries. */
export interface ComparedRow {
  readonly key: EntityKey
  /** The row as it was read; absent when it was not. */
  readonly raw?: RawEntity | undefined
  /** The indexes that cannot have an entry of the row: what is stored in them stays, because the row itself is the finding. */
  readonly unreadable: readonly EntityIndex[]
  readonly differences: readonly Difference[]
}

/** What a comparison of rows found. */
interface ComparedRows {
  /** The rows, by the texts of their keys. */
  readonly rows: ReadonlyMap<string, ComparedRow>
  /** The keys of the entries that rows should have, as text. */
  readonly claimed: ReadonlySet<string>
  /** A finding for each index that cannot have an entry of a row. */
  readonly unreadable: readonly IndexFinding[]
}

/** An entry that a row should have. */
interface Claim {
  readonly index: EntityIndex
  readonly wanted: IndexEntry
}

/** Compares rows with their entries in memory. Of several rows with one unique value, one has the entry and the others are duplicates. */
export function compareRows(
  indexes: readonly EntityIndex[],
  raws: Iterable<RawEntity>,
  entries: StoredEntries,
): ComparedRows {
  const rows = new Map<string, ComparedRow & { readonly differences: Difference[] }>()
  const claims = new Map<string, Claim[]>()
  const findings: IndexFinding[] = []
  for (const raw of raws) {
    const key = keyOfRaw(raw)
    const unreadable: EntityIndex[] = []
    for (const index of indexes) {
      const wanted = index.readEntry(raw)
      if (wanted instanceof Unreadable) {
        unreadable.push(index)
        findings.push({ ...wanted.finding, index: index.name, entry: undefined })
      } else if (wanted !== undefined) {
        const at = keyText(wanted.key)
        claims.set(at, [...(claims.get(at) ?? []), { index, wanted }])
      }
    }
    rows.set(keyText(key), { key, raw, unreadable, differences: [] })
  }
  for (const [at, all] of claims) {
    const stored = entries.get(at)?.raw
    const holder = holderOf(all, stored, rows)
    for (const { index, wanted } of all) {
      const kind = wanted === holder ? problemOf(index, wanted, stored) : 'duplicate'
      if (kind === undefined) continue
      const { key, row } = wanted
      rows.get(keyText(row))?.differences.push({ kind, index, key, wanted, stored })
    }
  }
  return { rows, claimed: new Set(claims.keys()), unreadable: findings }
}

/** Returns the entry that may be stored under a key: that of the row that has it already, or else of the first row. */
function holderOf(
  claims: readonly Claim[],
  stored: RawEntity | undefined,
  rows: ReadonlyMap<string, ComparedRow>,
): IndexEntry | undefined {
  const [first] = claims
  const owner = stored && first?.index.rowOf(stored)
  const own = owner && claims.find(({ wanted }) => isSameKey(wanted.row, owner))
  const isKept = first && owner && rows.get(keyText(owner))?.unreadable.includes(first.index)
  return isKept ? undefined : (own ?? first)?.wanted
}

function problemOf(
  index: EntityIndex,
  wanted: IndexEntry,
  stored: RawEntity | undefined,
): 'missing' | 'stale' | undefined {
  if (stored === undefined) return 'missing'
  return index.isStoredAs(stored, wanted) ? undefined : 'stale'
}

/**
 * Returns the rows with a difference. An entry that none of the rows should have is a difference of the row that it names, which may be
 * another row or a missing one.
 */
export function wrongRows(
  { rows, claimed }: Pick<ComparedRows, 'rows' | 'claimed'>,
  entries: StoredEntries,
): readonly ComparedRow[] {
  const all = new Map(rows)
  for (const [at, { index, raw: stored }] of entries) {
    // A row without an owner is not an entry.
    const owner = claimed.has(at) ? undefined : index.rowOf(stored)
    if (owner === undefined) continue
    const row = all.get(keyText(owner)) ?? { key: owner, unreadable: [], differences: [] }
    if (row.unreadable.includes(index)) continue
    const stray: Difference = { kind: 'dangling', index, key: keyOfRaw(stored), stored }
    all.set(keyText(owner), { ...row, differences: [...row.differences, stray] })
  }
  return [...all.values()].filter(({ differences }) => differences.length > 0)
}
