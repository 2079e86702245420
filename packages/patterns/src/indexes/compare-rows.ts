import type { KeptTable } from '@rowkey/mapper'
import { type EntityKey, keyOfRaw, type RawEntity } from '@rowkey/odata'
import type { DerivedFinding } from '../derived/compare.ts'
import { isSameKey, keyText } from '../rows/stored-row.ts'
import { Unreadable } from '../rows/unreadable.ts'
import type { EntityIndex, IndexEntry } from './index-entry.ts'

/** An entry that a row has, or should have. */
interface RowEntry {
  readonly index: EntityIndex
  /** The key of the entry. */
  readonly key: EntityKey
  /** The key of the row. */
  readonly row: EntityKey
  /** The row as it was read; absent when it was not. */
  readonly raw?: RawEntity | undefined
  /** The entry that should be stored; absent for one that should not be. */
  readonly wanted?: IndexEntry | undefined
  /** The entry as it was read. */
  readonly stored?: RawEntity | undefined
}

/** An entry that is not as its row says. */
export interface Difference extends RowEntry {
  readonly kind: 'missing' | 'stale' | 'dangling' | 'duplicate'
}

/** Entries that were read, for a comparison with their rows. */
export class StoredEntries {
  readonly #byKey = new Map<string, RawEntity>()
  /** The entries by the rows that they name, until those are compared: without its row, an entry is dangling. */
  readonly #byRow = new Map<string, Difference[]>()

  /** How many entries were read. */
  get size(): number {
    return this.#byKey.size
  }

  /** Adds an entry. */
  add(index: EntityIndex, stored: RawEntity): void {
    const key = keyOfRaw(stored)
    this.#byKey.set(keyText(key), stored)
    const row = index.rowOf(stored)
    if (row === undefined) return // a row of another program
    const named = this.#byRow.get(keyText(row)) ?? []
    named.push({ kind: 'dangling', index, key, row, stored })
    this.#byRow.set(keyText(row), named)
  }

  /** Returns what is stored under the key of an entry. */
  at(key: EntityKey): RawEntity | undefined {
    return this.#byKey.get(keyText(key))
  }

  /** Returns the entries that name a row, the first time. */
  take(row: EntityKey): readonly Difference[] {
    const named = this.#byRow.get(keyText(row)) ?? []
    this.#byRow.delete(keyText(row))
    return named
  }

  /** Returns the entries whose rows were not compared. */
  left(): readonly Difference[] {
    return [...this.#byRow.values()].flat()
  }
}

/** What is wrong with some rows and their entries. */
interface ComparedRows {
  /** A finding for each row and index that cannot have an entry of it. Their entries stay, because the row itself is wrong. */
  readonly unreadable: readonly DerivedFinding[]
  readonly differences: readonly Difference[]
}

/** Tells whether an index cannot have an entry of a row. */
type IsUnreadable = (row: EntityKey, index: EntityIndex) => boolean

/** Compares rows with their entries in memory. Of several rows with one unique value, one has the entry and the others are duplicates. */
export function compareRows(
  indexes: readonly EntityIndex[],
  raws: readonly RawEntity[],
  entries: StoredEntries,
  table: KeptTable,
): ComparedRows {
  const claims = new Map<string, RowEntry[]>()
  const unreadable = new Map<string, DerivedFinding>()
  const placeIn = ({ name }: EntityIndex, row: EntityKey) => `${name}\n${keyText(row)}`
  for (const raw of raws) {
    for (const index of indexes) {
      const row = keyOfRaw(raw)
      const wanted = index.readEntry(raw, table)
      if (wanted instanceof Unreadable) {
        const finding = { ...wanted.finding, name: index.name, kept: undefined }
        unreadable.set(placeIn(index, row), finding)
      } else if (wanted !== undefined) {
        const { key } = wanted
        const all = claims.get(keyText(key)) ?? []
        all.push({ index, key, row, raw, wanted, stored: entries.at(key) })
        claims.set(keyText(key), all)
      }
    }
  }
  const isUnreadable: IsUnreadable = (row, index) => unreadable.has(placeIn(index, row))
  const unwanted = raws.flatMap((raw) =>
    entries.take(keyOfRaw(raw)).map((entry): Difference => ({ ...entry, raw })),
  )
  return {
    unreadable: [...unreadable.values()],
    differences: [
      ...[...claims.values()].flatMap((all) => claimed(all, isUnreadable)),
      ...unwanted.filter(
        ({ index, key, row }) => !claims.has(keyText(key)) && !isUnreadable(row, index),
      ),
    ],
  }
}

/** Compares what is stored under the key of an entry with the rows that should have it. */
function claimed(claims: readonly RowEntry[], isUnreadable: IsUnreadable): readonly Difference[] {
  const holder = holderOf(claims, isUnreadable)
  return claims.flatMap((claim) => {
    const kind = claim === holder ? problemOf(claim) : 'duplicate'
    return kind === undefined ? [] : { ...claim, kind }
  })
}

/** Returns the row that may have an entry: the one that has it already, or else the first. */
function holderOf(claims: readonly RowEntry[], isUnreadable: IsUnreadable): RowEntry | undefined {
  const [first] = claims
  const owner = first?.stored && first.index.rowOf(first.stored)
  if (first === undefined || owner === undefined) return first
  const own = claims.find(({ row }) => isSameKey(row, owner))
  return isUnreadable(owner, first.index) ? undefined : (own ?? first)
}

function problemOf({ index, wanted, stored }: RowEntry): 'missing' | 'stale' | undefined {
  if (stored === undefined) return 'missing'
  return wanted && index.isStoredAs(stored, wanted) ? undefined : 'stale'
}
