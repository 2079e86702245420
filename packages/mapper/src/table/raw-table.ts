import { type InputError, invalidOption, keyOfRaw, type RawEntity } from '@rowkey/odata'
import {
  type Call,
  type Change,
  insertEntity,
  insertOrMergeEntity,
  insertOrReplaceEntity,
} from '@rowkey/rest'
import { type BulkOptions, bulkSettings } from '../bulk/bulk-options.ts'
import { BulkRun } from '../bulk/bulk-run.ts'
import type { BulkOperation, BulkTarget } from '../bulk/bulk-target.ts'
import type { OpenedWork } from '../bulk/bulk-work.ts'
import { openInput } from '../bulk/input-reader.ts'
import { etagIn } from '../codec/class-codec.ts'
import { keepersIn } from '../keep/keepers.ts'
import type { TableParts } from '../rows/table-parts.ts'
import type { RowOrigin } from '../snapshot/snapshot.ts'
import {
  type CopyMode,
  type CopyOptions,
  copyOptions,
  type DeleteAllOptions,
  deleteAllOptions,
  type RawOptions,
} from './raw-options.ts'

/** Where rows can be copied to: any {@link Table}. */
export interface CopyDestination {
  /** The table's name. */
  readonly name: string
  /** @internal */
  readonly rawRows: RawTable
}

/** Rows to delete or to copy. */
export interface RawRows {
  /** Fetches them, with the options of calls. */
  readonly fetch: (options: RawOptions) => AsyncIterable<RawEntity>
  /** Whether the rows of keepers, such as index entries, are among them. */
  readonly hasKept: boolean
}

/** The table whose rows are deleted, or that receives copies. */
type RawTableParts = Pick<TableParts<object>, 'service' | 'name' | 'origin' | 'kept' | 'within'>

/** The stored names that a deletion reads. */
export const KEYS: readonly string[] = Object.freeze(['PartitionKey', 'RowKey'])

/** A secondary lags behind. */
export const AT_PRIMARY = { locationMode: 'primaryOnly' } as const

/** One table, whose rows are copied and deleted as they are stored. */
export class RawTable {
  /** @internal Not private, because a table of another copy of the package reads it, too. */
  readonly parts: RawTableParts
  readonly #target: () => BulkTarget

  /**
   * @param parts - the table
   * @param target - returns what writes its entities, and deletes them for good
   */
  constructor(parts: RawTableParts, target: () => BulkTarget) {
    this.parts = parts
    this.#target = target
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
    const { service, name: table } = this.parts
    const where = `deleteAll of table ${table}`
    return new BulkRun({ service, table }, { ...options, ...AT_PRIMARY }, where, (call) =>
      this.openDeletion(rows, options, call, onConflict),
    )
  }

  /**
   * Opens a deletion of rows.
   *
   * @param rows - their keys and ETags
   * @param options - the caller's
   * @param call - the call that it is part of
   * @param onConflict - what to do with a row that changed since it was read
   */
  openDeletion(
    rows: RawRows,
    options: DeleteAllOptions,
    call: Call,
    onConflict: 'fail' | 'skip' = 'fail',
  ): OpenedWork {
    const { name: table, kept } = this.parts
    const where = `deleteAll of table ${table}`
    deleteAllOptions.check(options, where)
    const { etag, ...rest } = options
    if (rows.hasKept && keepersIn(kept) !== undefined) {
      const fix = `Use query().where(…).deleteAll(), or account.table('${table}').deletePartition(…) while no program writes.`
      throw keepsOthers(`deletePartition of table ${table}`, table, fix)
    }
    // A row that is gone was to be deleted, and a secondary lags behind.
    const own: BulkOptions = { onConflict, onMissing: 'skip' }
    const opened = this.#open(rows, call, { ...rest, ...own }, where)
    return { ...opened, toOperation: (item) => deletionOf(item as RawEntity, etag) }
  }

  /**
   * Writes rows of another table.
   *
   * @param rows - the rows
   * @param from - the table that they are in
   * @param options - the caller's
   */
  receive(rows: RawRows, from: RawTable, options: CopyOptions): BulkRun<RawEntity> {
    const { service, name: table, within } = this.parts
    const where = `copyTo of table ${from.parts.name}`
    return new BulkRun({ service, table }, options, where, (call) => {
      copyOptions.check(options, where)
      const { mode = 'insertOrReplace', ...rest } = options
      this.#checkReceives(from.parts.origin, where)
      const { target, settings, input } = this.#open(rows, call, rest, where)
      return {
        target: {
          ...target,
          change: ({ subject }) => {
            within?.checkKey(keyOfRaw(subject as RawEntity))
            return copyOf(subject as RawEntity, mode, table)
          },
        },
        settings: { ...settings, repeats: mode !== 'insert' },
        input,
        toOperation: (item) => ({ kind: mode, subject: item as RawEntity, etag: undefined }),
      }
    })
  }

  #checkReceives({ account, table }: RowOrigin, where: string): void {
    const { name, origin, kept } = this.parts
    if (account === origin.account && table === origin.table) {
      throw invalidOption(`${where} needs another table; ${name} cannot be copied to itself.`)
    }
    const keepers = keepersIn(kept)
    if (keepers?.uncopied !== undefined) throw invalidOption(`${where}: ${keepers.uncopied}`)
    if (keepers === undefined) return
    const fix = `Write the entities with bulk(). To copy a whole table to an empty one, use account.table('${name}') as the destination.`
    throw keepsOthers(where, name, fix)
  }

  #open(
    { fetch }: RawRows,
    call: Call,
    options: BulkOptions,
    where: string,
  ): Omit<OpenedWork, 'toOperation'> {
    // A repeated delete or upsert stores the same.
    const settings = { ...bulkSettings(options, where), repeats: true }
    const input = openInput<RawEntity>(fetch(call.options), where)
    return { target: this.#target(), settings, input }
  }
}

/** Rejects raw rows of a table whose entities have index rows, counts and the like: copies would lack them, or replace counts. */
function keepsOthers(where: string, table: string, fix: string): InputError {
  return invalidOption(
    `${where}: table ${table} has index rows, counts or other rows that belong to its entities, and raw rows would not update them. ${fix}`,
  )
}

/** Deletes a row by its key, with the ETag that it was fetched with unless the caller gives one. */
function deletionOf(raw: RawEntity, etag: string | undefined): BulkOperation {
  const { partitionKey, rowKey } = keyOfRaw(raw)
  return { kind: 'delete', subject: [partitionKey, rowKey], etag: etag ?? etagIn(raw, undefined) }
}

/** The writes of a whole row that need no condition. */
const OPERATIONS = {
  insert: insertEntity,
  insertOrMerge: insertOrMergeEntity,
  insertOrReplace: insertOrReplaceEntity,
}

/** Writes a row as it was fetched. Nothing is decoded, decrypted or checked by a model. */
function copyOf(raw: RawEntity, mode: CopyMode, table: string): Change {
  const input = { table, key: keyOfRaw(raw), body: rawText(raw) }
  return { operation: OPERATIONS[mode], input }
}

/** The members that the service adds to a row that it returns. */
const ADDED = /^(?:odata\..*|Timestamp|Timestamp@odata\.type)$/

/**
 * Writes a row as JSON for the service, with every property and type that it has.
 *
 * @param raw - the row as it was fetched; its types are beside its values
 */
function rawText(raw: RawEntity): string {
  const members: string[] = []
  for (const [name, value] of Object.entries(raw)) {
    if (!ADDED.test(name)) members.push(`${JSON.stringify(name)}:${valueText(value)}`)
  }
  return `{${members.join(',')}}`
}

/** JSON.stringify drops the sign of zero. */
function valueText(value: unknown): string {
  return Object.is(value, -0) ? '-0.0' : JSON.stringify(value)
}
