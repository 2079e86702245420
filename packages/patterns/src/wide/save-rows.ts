import type { Table } from '@rowkey/mapper'
import { type DynamicEntity, type EntityProperty, hasSameProperties } from '@rowkey/odata'
import type { CallOptions } from '@rowkey/rest'

/** The rows of one entity, as they were read or written. */
interface RowSet {
  /** The rows that are stored, with their ETags, by RowKey. */
  readonly stored: ReadonlyMap<string, DynamicEntity>
  /** The rows as they are to be, with all their properties. */
  readonly wanted: readonly DynamicEntity[]
}

/**
 * Stores what differs between two states of the rows of one entity: one merge when a single row got or changed values,
 * otherwise one transaction. Each row is written by its own ETag. A row that lost a property is replaced, because
 * a merge cannot remove one.
 *
 * @returns the rows that are stored now
 */
export async function saveRows(
  table: Table<DynamicEntity>,
  { stored, wanted }: RowSet,
  options: CallOptions,
): Promise<ReadonlyMap<string, DynamicEntity>> {
  const now = new Map<string, DynamicEntity>()
  const touched: TouchedRow[] = []
  const batch = table.batch()
  // The version of the first row is that of the set: so no program deletes a set to which another one adds a row.
  const isOtherSet = stored.size > 0 && !hasRowsOf(stored, wanted)
  for (const row of wanted) {
    const existing = stored.get(row.rowKey)
    const isForced = isOtherSet && row === wanted[0]
    now.set(row.rowKey, existing ?? row)
    if (existing === undefined) batch.insert(row)
    else if (!isForced && hasSameProperties(existing.properties, row.properties)) continue
    else {
      const isMerge = [...existing.properties.keys()].every((name) => row.has(name))
      touched.push({ existing, before: new Map(existing.properties), isMerge })
      setAll(existing, row.properties)
      if (isMerge) batch.merge(existing)
      else batch.replace(existing)
    }
  }
  for (const [rowKey, row] of stored) if (!now.has(rowKey)) batch.delete(row)
  if (batch.size === 0) return now
  const [only] = touched
  const isAlone = batch.size === 1 && only?.isMerge === true
  try {
    await (isAlone ? table.merge(only.existing, options) : batch.submit(options))
  } catch (error) {
    for (const { existing, before } of touched) setAll(existing, before)
    throw error
  }
  return now
}

/** A stored row that gets other values. */
interface TouchedRow {
  readonly existing: DynamicEntity
  readonly before: ReadonlyMap<string, EntityProperty>
  readonly isMerge: boolean
}

function hasRowsOf(
  stored: ReadonlyMap<string, DynamicEntity>,
  wanted: readonly DynamicEntity[],
): boolean {
  return stored.size === wanted.length && wanted.every(({ rowKey }) => stored.has(rowKey))
}

function setAll(row: DynamicEntity, properties: ReadonlyMap<string, EntityProperty>): void {
  row.properties.clear()
  for (const [name, property] of properties) row.properties.set(name, property)
}
