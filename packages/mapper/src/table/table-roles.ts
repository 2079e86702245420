import { TableAdmin } from './admin/table-admin.ts'
import { keepingOf } from './keep/keeping.ts'
import type { KeptRows } from './raw/raw-runs.ts'
import { RawTable } from './raw/raw-table.ts'
import { RowReader } from './read/row-reader.ts'
import { TableReader } from './read/table-reader.ts'
import type { TableParts } from './table-parts.ts'
import { TableWriter } from './write/table-writer.ts'

/** What does the work of one table; the methods of the table call it. */
export interface TableRoles<Entity extends object> {
  /** Creates, drops and shares the table. */
  readonly admin: TableAdmin
  /** Reads its entities. */
  readonly reader: TableReader<Entity>
  /** Writes its entities. */
  readonly writer: TableWriter<Entity>
  /** Deletes and copies its rows as they are stored. */
  readonly rawRows: RawTable
}

/** Builds each role of a table once. */
export function tableRoles<Entity extends object>(parts: TableParts<Entity>): TableRoles<Entity> {
  const rows = new RowReader(parts.name, parts.origin, parts.mapping.codec)
  const writer = new TableWriter(parts, rows)
  const rawRows = new RawTable({ ...parts, kept: () => keptRows(parts, rows) })
  return {
    admin: new TableAdmin(parts.service, parts.name),
    reader: new TableReader(parts, rows, rawRows),
    writer,
    rawRows,
  }
}

/** Returns what writes raw rows together with those of keepers; `undefined` without keepers. */
function keptRows<Entity extends object>(
  parts: TableParts<Entity>,
  rows: RowReader<Entity>,
): KeptRows | undefined {
  const keeping = keepingOf(parts.kept)
  if (keeping === undefined) return undefined
  // The deletes of raw rows are final.
  const writer = new TableWriter({ ...parts, lifetime: undefined }, rows)
  return { uncopied: keeping.uncopied, target: writer.bulkTarget() }
}
