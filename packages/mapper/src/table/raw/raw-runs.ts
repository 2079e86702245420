import type { InputError, RawEntity } from '@rowkey/odata'
import { checkOptions, type TableService } from '@rowkey/rest'
import { type BulkOptions, bulkSettings, invalid, type OpenBulk } from '../../bulk/bulk-options.ts'
import type { BulkTarget } from '../../bulk/bulk-target.ts'
import { openInput } from '../../bulk/input-reader.ts'
import type { RowOrigin } from '../../snapshot/snapshot.ts'
import { CALL_OPTION_NAMES } from '../call-options.ts'
import {
  COPY_OPTION_NAMES,
  type CopyMode,
  type CopyOptions,
  DELETE_OPTION_NAMES,
  type DeleteAllOptions,
  type RawOptions,
} from './raw-options.ts'
import { rawTarget } from './raw-target.ts'

/** The parts of a `RawTable`. */
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

/** A run that deletes rows. */
export interface RawDelete {
  /** The table. */
  readonly table: RawTableParts
  /** Their keys and ETags. */
  readonly rows: RawRows
  /** The caller's. */
  readonly options: DeleteAllOptions
  /** What to do with a row that changed since it was read. */
  readonly onConflict: 'fail' | 'skip'
}

/**
 * Opens the rows to delete.
 *
 * @throws InputError with the code `UnknownOption` or `InvalidOptionValue`
 */
export function openDelete({ table, rows, options, onConflict }: RawDelete): OpenBulk {
  const where = `deleteAll of table ${table.name}`
  checkOptions(options, DELETE_OPTION_NAMES, where)
  const { etag, ...rest } = options
  if (etag !== undefined && etag !== '*') {
    throw invalid(`etag of ${where} must be '*', or absent: each row has its own ETag.`)
  }
  const kept = rows.hasKept ? undefined : table.kept
  return open(table, rows, { where, options: { ...rest, onConflict }, kind: 'delete', etag, kept })
}

/** A run that copies rows. */
export interface RawCopy {
  /** The table that receives them. */
  readonly table: RawTableParts
  /** The rows. */
  readonly rows: RawRows
  /** The caller's. */
  readonly options: CopyOptions
  /** The table that they are in. */
  readonly source: RawTableParts
}

/**
 * Opens the rows to copy.
 *
 * @throws InputError with the code `UnknownOption` or `InvalidOptionValue`
 */
export function openCopy({ table, rows, options, source }: RawCopy): OpenBulk {
  const where = `copyTo of table ${source.name}`
  checkOptions(options, COPY_OPTION_NAMES, where)
  const { mode = 'insertOrReplace', onConflict, ...rest } = options
  checkChoice('mode', mode, ['insert', 'insertOrMerge', 'insertOrReplace'], where)
  if (onConflict !== undefined) checkChoice('onConflict', onConflict, ['fail', 'skip'], where)
  const { name, origin, kept, keeping } = table
  if (isSame(source.origin, origin)) {
    throw invalid(`${where} needs another table; ${name} cannot be copied to itself.`)
  }
  if (kept !== undefined && !rows.hasKept) throw keptElsewhere(name, where)
  if (keeping?.uncopied !== undefined) throw invalid(`${where}: ${keeping.uncopied}`)
  return open(table, rows, { where, options: { ...rest, onConflict }, kind: mode })
}

interface RawRun {
  readonly where: string
  readonly options: BulkOptions
  readonly kind: CopyMode | 'delete'
  readonly etag?: '*' | undefined
  /** What writes the rows instead. */
  readonly kept?: RawTableParts['kept']
}

function open(
  { service, name: table }: RawTableParts,
  { fetch }: RawRows,
  { where, options, kind, etag, kept }: RawRun,
): OpenBulk {
  const settings = bulkSettings(options, CALL_OPTION_NAMES, where)
  service.withDeadline(settings.call) // checks the options of calls
  // A repeated upsert stores the same, and a row that is gone was to be deleted.
  const repeats = kind !== 'insert'
  return {
    table,
    settings: { ...settings, repeats, skipsMissing: kind === 'delete' },
    input: openInput<RawEntity>(fetch(settings.call), where),
    target: async () => rawTarget(service, table, await kept?.()),
    rule: { kind, etag },
  }
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

/** Rejects a value that is not one of the choices of an option. */
function checkChoice(
  name: string,
  value: unknown,
  choices: readonly string[],
  where: string,
): void {
  if (choices.some((choice) => choice === value)) return
  const list = choices.map((choice) => `'${choice}'`).join(' or ')
  throw invalid(`${name} of ${where} must be ${list}.`)
}
