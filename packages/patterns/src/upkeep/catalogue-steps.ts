import type { KeptTable } from '@rowkey/mapper'
import type { CallOptions } from '@rowkey/rest'
import {
  type CataloguedIndex,
  type CatalogueRow,
  entriesOf,
  newRow,
} from '../catalogue/catalogue-rows.ts'
import { type IndexCatalogue, sharedKeys } from '../catalogue/index-catalogue.ts'
import { waitWithin } from '../conflicts/retry-conflicts.ts'
import { changed } from './upkeep-errors.ts'

/** The indexes of a model in one table, or its summaries. */
export interface KeptIndexes<Index extends CataloguedIndex> {
  readonly table: KeptTable
  readonly catalogue: IndexCatalogue<Index>
}

/** An index that is open for the writes of every program, and its row. */
export interface OpenedIndex<Index extends CataloguedIndex> {
  readonly index: Index
  readonly row: CatalogueRow
}

/**
 * Opens indexes for the writes of every program, by the declarations of this one, and waits until every program knows of it. Before it takes an
 * index over from another declaration, it lets readers by that one stop.
 *
 * @throws InputError (`IndexKeysShared`, `KeptRowClash`) when entries of another index could have the keys of one of them
 */
export async function openIndexes<Index extends CataloguedIndex>(
  { table, catalogue }: KeptIndexes<Index>,
  indexes: readonly Index[],
  options: CallOptions,
): Promise<readonly OpenedIndex<Index>[]> {
  const waited = new Set<string>()
  let stopped: readonly CatalogueRow[] = []
  let opened: readonly OpenedIndex<Index>[] = []
  const open = (rows: readonly CatalogueRow[]): readonly CatalogueRow[] => {
    const trouble = indexes.map((index) => sharedKeys(table, index, rows)).find(Boolean)
    if (trouble !== undefined) throw trouble
    const now = table.service.now()
    const others = rows
      .filter((row) => indexes.some((index) => isOfOther(index, row)))
      .map((row) => removedRow(undefined, row, 'writeOnly', now) ?? row)
    stopped = others.filter(
      (row) => row.state !== 'disabled' && hadReaders(row) && !waited.has(nameOf(row)),
    )
    if (stopped.length > 0) return stopped.filter((row) => !rows.includes(row))
    opened = indexes.map((index) => {
      const stored = rows.find(({ place }) => place === index.place)
      return { index, row: openedRow(index, stored, now) }
    })
    return opened.map(({ row }) => row).filter((row) => !rows.includes(row))
  }
  for (;;) {
    await catalogue.change(table, open, options)
    if (stopped.length === 0) break
    const changes = stopped.map(({ changedAt }) => changedAt)
    await waitForLeases(table, Math.max(...changes), catalogue.lease, options)
    for (const row of stopped) waited.add(nameOf(row))
  }
  // An index that no program knew before has no writers that do not.
  const changes = opened.flatMap(({ row }) => (row.generation > 1 ? row.changedAt : []))
  await waitForLeases(table, Math.max(0, ...changes), catalogue.lease, options)
  return opened
}

function isOfOther(index: CataloguedIndex, { place, declaration }: CatalogueRow): boolean {
  return place === index.place && declaration !== index.declaration
}

/** Whether programs may have read by an index before its last change: not when it is new. */
export function hadReaders({ generation }: CatalogueRow): boolean {
  return generation > 1
}

function nameOf({ place, generation }: CatalogueRow): string {
  return `${place} ${generation}`
}

/** Returns the row of an index that every program keeps by one declaration: the stored one when it is so already. */
function openedRow(
  index: CataloguedIndex,
  row: CatalogueRow | undefined,
  now: number,
): CatalogueRow {
  if (row === undefined) return newRow(index, now)
  const { declaration } = index
  if (row.declaration === declaration && row.state !== 'disabled') return row
  const entries = entriesOf(index)
  // Entries under the same beginning are compared with their rows, and removed when they are not theirs.
  const replaced = [...row.replaced, ...(row.entries ? [row.entries] : [])].filter(
    (each) => each.beginning !== entries.beginning || each.table !== entries.table,
  )
  const { place, generation } = row
  const next = { place, declaration, entries, replaced, generation: generation + 1 }
  return { ...next, state: 'writeOnly', changedAt: now }
}

/**
 * Changes the rows of indexes, unless another program changed them since they were opened.
 *
 * @param opened - the indexes, from {@link openIndexes}
 * @param change - returns what a row becomes
 * @throws InputError (`IndexStateChanged`) when another program opened or removed one of them
 */
export async function changeOpened<Index extends CataloguedIndex>(
  { table, catalogue }: KeptIndexes<Index>,
  opened: readonly OpenedIndex<Index>[],
  change: (row: CatalogueRow, index: Index) => CatalogueRow,
  options: CallOptions,
): Promise<void> {
  const next = (rows: readonly CatalogueRow[]) =>
    opened.map(({ index, row: { place, generation } }) => {
      const row = rows.find((each) => each.place === place)
      if (row?.generation !== generation) throw changed(table.name, index, row)
      return change(row, index)
    })
  await catalogue.change(table, next, options)
}

/**
 * Checks that this program may write the entries of indexes.
 *
 * @throws InputError (`IndexDeclarationDiffers`, `SummaryDiffers`, `IndexStateChanged`) when another program keeps one of them, or removed it
 */
export async function checkOwn<Index extends CataloguedIndex>(
  { table, catalogue }: KeptIndexes<Index>,
  indexes: Iterable<Index>,
  options: CallOptions,
): Promise<void> {
  for (const index of indexes) {
    const { state, row, trouble } = await catalogue.standing(table, index, options)
    if (trouble !== undefined) throw trouble
    if (state === 'disabled') throw changed(table.name, index, row)
  }
}

/** Takes an index one step out of service; `undefined` when it is that far. */
export function removedRow(
  index: CataloguedIndex | undefined,
  row: CatalogueRow | undefined,
  state: 'writeOnly' | 'disabled',
  now: number,
): CatalogueRow | undefined {
  const stored = row ?? (index && newRow(index, now))
  const isReached = row !== undefined && (row.state === state || row.state === 'disabled')
  if (stored === undefined || isReached) return undefined
  return { ...stored, state, generation: stored.generation + 1, changedAt: now }
}

/** Waits until every program knows of a change: two leases. */
export async function waitForLeases(
  { service }: KeptTable,
  changedAt: number,
  lease: number,
  options: CallOptions,
): Promise<void> {
  const wait = changedAt + 2 * lease - service.now()
  if (wait > 0) await waitWithin(service, wait, options)
}
