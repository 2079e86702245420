import type { KeptTable } from '@rowkey/mapper'
import type { CallOptions } from '@rowkey/rest'
import {
  type CataloguedIndex,
  type CatalogueRow,
  entriesOf,
  newRow,
} from '../catalogue/index-catalogue.ts'

/** Opens an index for the writes of every program; `undefined` when it is open. */
export function openedRow(
  index: CataloguedIndex,
  row: CatalogueRow | undefined,
  now: number,
): Omit<CatalogueRow, 'etag'> | undefined {
  if (row === undefined) return newRow(index, now)
  const { declaration } = index
  if (row.declaration === declaration && row.state !== 'disabled') return undefined
  const entries = entriesOf(index)
  // Entries under the same beginning are compared with their rows, and removed when they are not theirs.
  const replaced = [...row.replaced, ...(row.entries ? [row.entries] : [])].filter(
    (each) => each.beginning !== entries.beginning || each.table !== entries.table,
  )
  const { generation } = row
  return {
    place: row.place,
    state: 'writeOnly',
    declaration,
    entries,
    replaced,
    generation: generation + 1,
    changedAt: now,
  }
}

/** Takes an index one step out of service; `undefined` when it is that far. */
export function removedRow(
  index: CataloguedIndex | undefined,
  row: CatalogueRow | undefined,
  state: 'writeOnly' | 'disabled',
  now: number,
): Omit<CatalogueRow, 'etag'> | undefined {
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
  { signal }: CallOptions,
): Promise<void> {
  const wait = changedAt + 2 * lease - service.now()
  if (wait > 0) await service.sleep(wait, signal)
}
