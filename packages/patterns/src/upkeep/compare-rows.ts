import { type EntityKey, keyOfRaw, type RawEntity } from '@rowkey/odata'
import type { EntityIndex, IndexEntry } from '../definitions/index-entry.ts'
import { isSameKey, keyText } from '../rows/stored-row.ts'
import { Unreadable } from '../rows/unreadable.ts'
import type { IndexFinding } from './index-finding.ts'

/** An entry as it was read. */
interface StoredEntry {
  readonly index: EntityIndex
  readonly raw: RawEntity
}

/** A row and the entries that name it. */
interface NamedRow {
  readonly key: EntityKey
  readonly entries: StoredEntry[]
}

/** Entries that were read, for a comparison with their rows. */
export class StoredEntries {
  readonly #byKey = new Map<string, StoredEntry>()
  /** The entries by the rows that they name, until those are compared. */
  readonly #byRow = new Map<string, NamedRow>()

  /** How many entries were read. */
  get size(): number {
    return this.#byKey.size
  }

  /** Adds an entry. */
  add(index: EntityIndex, raw: RawEntity): void {
    this.#byKey.set(keyText(keyOfRaw(raw)), { index, raw })
    const key = index.rowOf(raw)
    if (key === undefined) return // a row of another program
    const named = this.#byRow.get(keyText(key)) ?? { key, entries: [] }
    named.entries.push({ index, raw })
    this.#byRow.set(keyText(key), named)
  }

  /** Returns what is stored under the key of an entry. */
  at(key: string): RawEntity | undefined {
    return this.#byKey.get(key)?.raw
  }

  /** Returns the entries that name a row, the first time. */
  take(key: EntityKey): readonly StoredEntry[] {
    const named = this.#byRow.get(keyText(key))
    this.#byRow.delete(keyText(key))
    return named?.entries ?? []
  }

  /** Returns the rows that were not compared, as missing ones. */
  left(): readonly ComparedRow[] {
    return Array.from(this.#byRow.values(), ({ key, entries }) => {
      return { key, unreadable: [], differences: entries.map(stray) }
    })
  }
}

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
  /** A finding for each index that cannot have an entry of the row. Their entries stay, because the row itself is wrong. */
  readonly unreadable: readonly IndexFinding[]
  readonly differences: readonly Difference[]
}

/** An entry that a row should have. */
interface Claim {
  readonly index: EntityIndex
  readonly wanted: IndexEntry
}

/** Compares rows with their entries in memory. Of several rows with one unique value, one has the entry and the others are duplicates. */
export function compareRows(
  indexes: readonly EntityIndex[],
  raws: readonly RawEntity[],
  entries: StoredEntries,
): readonly ComparedRow[] {
  const claims = new Map<string, Claim[]>()
  const rows = new Map<string, ComparedRow & { readonly differences: Difference[] }>()
  for (const raw of raws) {
    const key = keyOfRaw(raw)
    const unreadable: IndexFinding[] = []
    for (const index of indexes) {
      const wanted = index.readEntry(raw)
      if (wanted instanceof Unreadable) {
        unreadable.push({ ...wanted.finding, index: index.name, entry: undefined })
      } else if (wanted !== undefined) {
        const at = keyText(wanted.key)
        claims.set(at, [...(claims.get(at) ?? []), { index, wanted }])
      }
    }
    rows.set(keyText(key), { key, raw, unreadable, differences: [] })
  }
  for (const [at, all] of claims) {
    const stored = entries.at(at)
    const holder = holderOf(all, stored, rows)
    for (const { index, wanted } of all) {
      const kind = wanted === holder ? problemOf(index, wanted, stored) : 'duplicate'
      if (kind === undefined) continue
      const { key, row } = wanted
      rows.get(keyText(row))?.differences.push({ kind, index, key, wanted, stored })
    }
  }
  for (const row of rows.values()) {
    const strays = entries.take(row.key).filter(({ raw }) => !claims.has(keyText(keyOfRaw(raw))))
    row.differences.push(...strays.filter(({ index }) => isReadable(row, index)).map(stray))
  }
  return [...rows.values()]
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
  const other = owner && rows.get(keyText(owner))
  const isFree = first === undefined || other === undefined || isReadable(other, first.index)
  return isFree ? (own ?? first)?.wanted : undefined
}

function isReadable({ unreadable }: ComparedRow, { name }: EntityIndex): boolean {
  return unreadable.every(({ index }) => index !== name)
}

function problemOf(
  index: EntityIndex,
  wanted: IndexEntry,
  stored: RawEntity | undefined,
): 'missing' | 'stale' | undefined {
  if (stored === undefined) return 'missing'
  return index.isStoredAs(stored, wanted) ? undefined : 'stale'
}

/** An entry that its row should not have. */
function stray({ index, raw: stored }: StoredEntry): Difference {
  return { kind: 'dangling', index, key: keyOfRaw(stored), stored }
}
