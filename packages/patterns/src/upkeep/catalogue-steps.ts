import type { KeptTable } from '@rowkey/mapper'
import type { CallOptions } from '@rowkey/rest'
import { type CataloguedIndex, type CatalogueRow, newRow } from '../catalogue/catalogue-rows.ts'
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
      .map((row) => removedRow(row, 'writeOnly', now) ?? row)
    stopped = others.filter(
      (row) => row.state !== 'disabled' && hadReaders(row) && !waited.has(nameOf(row)),
    )
    if (stopped.length > 0) return stopped.filter((row) => !rows.includes(row))
    opened = indexes.map((index) => {
      const stored = rows.find(({ place }) => place === index.place)
      return { index, row: openedRow(newRow(index, catalogue.lease, now), stored) }
    })
    return opened.map(({ row }) => row).filter((row) => !rows.includes(row))
  }
  for (;;) {
    await catalogue.change(table, open, options)
    if (stopped.length === 0) break
    await waitForLeases(table, stopped, options)
    for (const row of stopped) waited.add(nameOf(row))
  }
  // An index that no program knew before has no writers that do not.
  const changes = opened.map(({ row }) => row).filter(({ generation }) => generation > 1)
  await waitForLeases(table, changes, options)
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

/**
 * Returns the row of an index that every program keeps by one declaration: the stored one when it is so already.
 *
 * @param fresh - the row of an index that no program knew
 * @param row - as it is stored
 */
function openedRow(fresh: CatalogueRow, row: CatalogueRow | undefined): CatalogueRow {
  if (row === undefined) return fresh
  const { declaration, entries } = fresh
  if (row.declaration === declaration && row.state !== 'disabled') return row
  // Entries under the same beginning are compared with their rows, and removed when they are not theirs.
  const replaced = [...row.replaced, ...(row.entries ? [row.entries] : [])].filter(
    (each) => each.beginning !== entries?.beginning || each.table !== entries?.table,
  )
  const lease = Math.max(fresh.lease, row.lease)
  return { ...fresh, replaced, lease, generation: row.generation + 1 }
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
  row: CatalogueRow | undefined,
  state: 'writeOnly' | 'disabled',
  now: number,
): CatalogueRow | undefined {
  if (row === undefined || row.state === state || row.state === 'disabled') return undefined
  return { ...row, state, generation: row.generation + 1, changedAt: now }
}

/** Waits until every program knows of changes: two leases. */
export async function waitForLeases(
  { service }: KeptTable,
  rows: readonly CatalogueRow[],
  options: CallOptions,
): Promise<void> {
  const ends = rows.map(({ changedAt, lease }) => changedAt + 2 * lease)
  const wait = Math.max(0, ...ends) - service.now()
  if (wait > 0) await waitWithin(service, wait, options)
}
