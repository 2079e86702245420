import type { InputError, RawEntity } from '@rowkey/odata'
import { checkOptions, partNotLoaded, type TableService } from '@rowkey/rest'
import { type BulkOptions, bulkSettings, checkChoice, invalid } from '../../bulk/bulk-options.ts'
import { BulkRun } from '../../bulk/bulk-run.ts'
import type { BulkTarget } from '../../bulk/bulk-target.ts'
import { openInput } from '../../bulk/input-reader.ts'
import type { RowOrigin } from '../../snapshot/snapshot.ts'
import { CALL_OPTION_NAMES, namesWithCall } from '../call-options.ts'

/** The options that deleting and copying rows have in common. */
export type RawOptions = Omit<BulkOptions, 'journal' | 'modify' | 'onConflict'>

/** The options of deleting all rows of a query. */
export interface DeleteAllOptions extends RawOptions {
  /**
   * `'*'` deletes rows whatever is stored. Otherwise a row that changed since it was read fails.
   *
   * @defaultValue the ETag that each row was read with
   */
  readonly etag?: '*' | undefined
}

/** The options of copying rows. */
export interface CopyOptions extends RawOptions {
  /**
   * How rows are written: `'insertOrReplace'` overwrites rows with the same key, `'insertOrMerge'` keeps
   * their other properties, `'insert'` fails for them.
   *
   * @defaultValue `'insertOrReplace'`
   */
  readonly mode?: CopyMode | undefined
  /**
   * What to do when `'insert'` finds a row: `'fail'` reports it as failed, `'skip'` leaves it.
   *
   * @defaultValue `'fail'`
   */
  readonly onConflict?: 'fail' | 'skip' | undefined
}

/** How copied rows are written. */
export type CopyMode = 'insert' | 'insertOrMerge' | 'insertOrReplace'

/** Where rows can be copied to: any {@link Table}. */
export interface CopyDestination {
  /** The table's name. */
  readonly name: string
  /** @internal */
  readonly rawRows: RawTable
}

/** The parts of a {@link RawTable}. */
export interface RawTableParts {
  /** The account. */
  readonly service: TableService
  /** The table's name. */
  readonly name: string
  /** Identifies the table among those of all accounts. */
  readonly origin: RowOrigin
  /** Loads what writes entities of the table together with the rows of its keepers; absent without keepers. */
  readonly kept?: (() => Promise<BulkTarget>) | undefined
  /** What the tables of its model do for keepers; absent without keepers. */
  readonly keeping?: { readonly uncopied?: string | undefined } | undefined
}

/** Rows to delete or to copy. */
export interface RawRows {
  /** Fetches them, with the options of calls. */
  readonly fetch: (options: RawOptions) => AsyncIterable<RawEntity>
  /** Whether the rows of keepers, such as index entries, are among them. */
  readonly hasKept: boolean
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
    const where = `deleteAll of table ${this.#parts.name}`
    checkOptions(options, DELETE_OPTION_NAMES, where)
    const { etag, ...rest } = options
    if (etag !== undefined && etag !== '*') {
      throw invalid(`etag of ${where} must be '*', or absent: each row has its own ETag.`)
    }
    const kept = rows.hasKept ? undefined : this.#parts.kept
    return this.#run(rows, { where, options: { ...rest, onConflict }, kind: 'delete', etag, kept })
  }

  /**
   * Writes rows of another table.
   *
   * @param rows - the rows
   * @param from - the table that they are in
   * @param options - the caller's
   */
  receive(rows: RawRows, from: RawTable, options: CopyOptions): BulkRun<RawEntity> {
    const where = `copyTo of table ${from.#parts.name}`
    checkOptions(options, COPY_OPTION_NAMES, where)
    const { mode = 'insertOrReplace', onConflict, ...rest } = options
    checkChoice('mode', mode, ['insert', 'insertOrMerge', 'insertOrReplace'], where)
    if (onConflict !== undefined) checkChoice('onConflict', onConflict, ['fail', 'skip'], where)
    const { name, origin, kept, keeping } = this.#parts
    if (isSame(from.#parts.origin, origin)) {
      throw invalid(`${where} needs another table; ${this.#parts.name} cannot be copied to itself.`)
    }
    if (kept !== undefined && !rows.hasKept) throw keptElsewhere(name, where)
    if (keeping?.uncopied !== undefined) throw invalid(`${where}: ${keeping.uncopied}`)
    return this.#run(rows, { where, options: { ...rest, onConflict }, kind: mode })
  }

  #run({ fetch }: RawRows, { where, options, kind, etag, kept }: RawRun): BulkRun<RawEntity> {
    const { service, name: table } = this.#parts
    const settings = bulkSettings(options, CALL_OPTION_NAMES, where)
    service.withDeadline(settings.call) // checks the options of calls
    // A repeated upsert stores the same, and a row that is gone was to be deleted.
    const repeats = kind !== 'insert'
    return new BulkRun<RawEntity>({
      service,
      table,
      async target() {
        const { rawTarget } = await import('./raw-target.ts').catch(partNotLoaded)
        return rawTarget(service, table, await kept?.())
      },
      settings: { ...settings, repeats, skipsMissing: kind === 'delete' },
      openInput: (call) => openInput(fetch(call), where),
      rule: { kind, etag },
    })
  }
}

interface RawRun {
  readonly where: string
  readonly options: BulkOptions
  readonly kind: CopyMode | 'delete'
  readonly etag?: '*' | undefined
  /** What writes the rows instead. */
  readonly kept?: RawTableParts['kept']
}

function isSame(one: RowOrigin, other: RowOrigin): boolean {
  return one.account === other.account && one.table === other.table
}

/** Copied rows would lack the rows of keepers, such as index entries. */
function keptElsewhere(table: string, where: string): InputError {
  return invalid(
    `${where}: writes of table ${table} keep other rows in step, such as index entries, and copied rows would lack them. Copy the whole table with table.copyTo, or read the entities and write them with bulk().`,
  )
}

/** The names of {@link RawOptions}. */
export const RAW_OPTION_NAMES: readonly string[] = namesWithCall<RawOptions>({
  attempts: true,
  buffer: true,
  concurrency: true,
  onProgress: true,
  onStuck: true,
  stuckAfter: true,
  total: true,
})

const DELETE_OPTION_NAMES = [...RAW_OPTION_NAMES, 'etag']

const COPY_OPTION_NAMES = [...RAW_OPTION_NAMES, 'mode', 'onConflict']
