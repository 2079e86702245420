import { TableAdmin } from './admin/table-admin.ts'
import { RawTable } from './raw/raw-table.ts'
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
  const writer = new TableWriter(parts)
  // The deletes of raw rows are final.
  const rawWriter = () => new TableWriter({ ...parts, lifetime: undefined })
  const rawRows = new RawTable(parts, () => rawWriter().bulkTarget())
  return {
    admin: new TableAdmin(parts.service, parts.name),
    reader: new TableReader(parts, rawRows),
    writer,
    rawRows,
  }
}
