import type { RawEntity } from '@rowkey/odata'
import { BulkRun } from '../../bulk/bulk-run.ts'
import type { CopyOptions, DeleteAllOptions } from './raw-options.ts'
import { openCopy, openDelete, type RawRows, type RawTableParts } from './raw-runs.ts'

/** Where rows can be copied to: any {@link Table}. */
export interface CopyDestination {
  /** The table's name. */
  readonly name: string
  /** @internal */
  readonly rawRows: RawTable
}

/** One table, whose rows are copied and deleted as they are stored. */
export class RawTable {
  readonly #parts: RawTableParts

  constructor(parts: RawTableParts) {
    this.#parts = parts
  }

  /**
   * Deletes rows.
   *
   * @param rows - their keys and ETags
   * @param options - the caller's
   * @param onConflict - what to do with a row that changed since it was read
   */
  deleteAll(
    rows: RawRows,
    options: DeleteAllOptions,
    onConflict: 'fail' | 'skip' = 'fail',
  ): BulkRun<RawEntity> {
    const table = this.#parts
    const { service, name } = table
    const open = (begun: DeleteAllOptions) =>
      openDelete({ table, rows, options: begun, onConflict })
    return new BulkRun({ service, table: name, options, open })
  }

  /**
   * Writes rows of another table.
   *
   * @param rows - the rows
   * @param from - the table that they are in
   * @param options - the caller's
   */
  receive(rows: RawRows, from: RawTable, options: CopyOptions): BulkRun<RawEntity> {
    const table = this.#parts
    const { service, name } = table
    const open = (begun: CopyOptions) =>
      openCopy({ table, rows, options: begun, source: from.#parts })
    return new BulkRun({ service, table: name, options, open })
  }
}
