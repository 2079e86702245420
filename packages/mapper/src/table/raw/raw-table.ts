import type { RawEntity } from '@rowkey/odata'
import { partNotLoaded } from '@rowkey/rest'
import type { OpenBulk } from '../../bulk/bulk-options.ts'
import { BulkRun } from '../../bulk/bulk-run.ts'
import type { CopyOptions, DeleteAllOptions, RawOptions } from './raw-options.ts'
import type { RawRows, RawTableParts } from './raw-runs.ts'

/** Where rows can be copied to: any {@link Table}. */
export interface CopyDestination {
  /** The table's name. */
  readonly name: string
  /** @internal */
  readonly rawRows: RawTable
}

/** What makes the runs; few programs need it. */
type RawRuns = typeof import('./raw-runs.ts')

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
    return this.#run(options, ({ openDelete }, begun) =>
      openDelete({ table, rows, options: begun, onConflict }),
    )
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
    return this.#run(options, ({ openCopy }, begun) =>
      openCopy({ table, rows, options: begun, source: from.#parts }),
    )
  }

  #run<Options extends RawOptions>(
    options: Options,
    open: (code: RawRuns, options: Options) => OpenBulk,
  ): BulkRun<RawEntity> {
    const { service, name: table } = this.#parts
    return new BulkRun<RawEntity>({
      service,
      table,
      options,
      async open(begun) {
        const code = await import('./raw-runs.ts').catch(partNotLoaded)
        return open(code, begun as Options)
      },
    })
  }
}
