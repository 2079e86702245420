import type { InputError, RawEntity } from '@rowkey/odata'
import { checkOptions, type TableService } from '@rowkey/rest'
import { type BulkOptions, bulkSettings } from '../../bulk/bulk-options.ts'
import { BulkRun } from '../../bulk/bulk-run.ts'
import { openInput } from '../../bulk/input-reader.ts'
import { mapperInputError } from '../../errors/codes.ts'
import type { RowOrigin } from '../../snapshot/snapshot.ts'
import { CALL_OPTION_NAMES } from '../call-options.ts'
import { rawTarget } from './raw-target.ts'

/** The options that deleting and copying rows have in common. */
export type RawOptions = Omit<BulkOptions, 'modify' | 'onConflict'>

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

/** One table, whose rows are copied and deleted as they are stored. */
export class RawTable {
  readonly #service: TableService
  readonly #table: string
  readonly #origin: RowOrigin

  /**
   * @param service - the account
   * @param table - the table's name
   * @param origin - identifies the table among those of all accounts
   */
  constructor(service: TableService, table: string, origin: RowOrigin) {
    this.#service = service
    this.#table = table
    this.#origin = origin
  }

  /**
   * Deletes rows.
   *
   * @param fetch - fetches their keys and ETags, with the options of calls
   * @param options - the caller's
   */
  deleteAll(fetch: FetchRows, options: DeleteAllOptions): BulkRun<RawEntity> {
    const where = `deleteAll of table ${this.#table}`
    const { etag, ...rest } = options
    if (etag !== undefined && etag !== '*') {
      throw invalid(`etag of ${where} must be '*', or absent: each row has its own ETag.`)
    }
    checkOptions(rest, RAW_OPTION_NAMES, where)
    return this.#run('delete', fetch, { where, options: rest, etag })
  }

  /**
   * Writes rows of another table.
   *
   * @param fetch - fetches the rows, with the options of calls
   * @param from - the table that they are in
   * @param options - the caller's
   */
  receive(fetch: FetchRows, from: RawTable, options: CopyOptions): BulkRun<RawEntity> {
    const where = `copyTo of table ${from.#table}`
    const { mode = 'insertOrReplace', onConflict, ...rest } = options
    checkOptions(rest, RAW_OPTION_NAMES, where)
    if (!MODES.includes(mode)) {
      throw invalid(`mode of ${where} must be 'insert', 'insertOrMerge' or 'insertOrReplace'.`)
    }
    if (onConflict !== undefined && onConflict !== 'fail' && onConflict !== 'skip') {
      throw invalid(`onConflict of ${where} must be 'fail' or 'skip'.`)
    }
    if (
      from.#origin.account === this.#origin.account &&
      from.#origin.table === this.#origin.table
    ) {
      throw invalid(`${where} needs another table; ${this.#table} cannot be copied to itself.`)
    }
    return this.#run(mode, fetch, { where, options: { ...rest, onConflict }, etag: undefined })
  }

  #run(
    kind: CopyMode | 'delete',
    fetch: FetchRows,
    { where, options, etag }: RawRun,
  ): BulkRun<RawEntity> {
    const settings = bulkSettings(options, CALL_OPTION_NAMES, where)
    // A repeated upsert stores the same, and a row that is gone was to be deleted.
    const repeats = kind !== 'insert'
    return new BulkRun<RawEntity>({
      target: rawTarget(this.#service, this.#table),
      settings: { ...settings, repeats, skipsMissing: kind === 'delete' },
      input: openInput(fetch(settings.call), where),
      toOperation: (raw) => ({ kind, subject: raw as RawEntity, etag }),
    })
  }
}

/** Fetches rows, with the options of calls. */
export type FetchRows = (options: RawOptions) => AsyncIterable<RawEntity>

interface RawRun {
  readonly where: string
  readonly options: BulkOptions
  readonly etag: string | undefined
}

const MODES: readonly string[] = ['insert', 'insertOrMerge', 'insertOrReplace']

const RAW_OPTION_NAMES: readonly string[] = [
  ...CALL_OPTION_NAMES,
  'attempts',
  'buffer',
  'concurrency',
  'onProgress',
  'total',
]

function invalid(message: string): InputError {
  return mapperInputError({ code: 'InvalidOptionValue', message })
}
