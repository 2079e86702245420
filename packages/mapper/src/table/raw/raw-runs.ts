import {
  type EntityKey,
  type InputError,
  invalidOption,
  keyOfRaw,
  type RawEntity,
} from '@rowkey/odata'
import {
  type Change,
  changeBytes,
  deleteEntity,
  entityGroupTransaction,
  insertEntity,
  insertOrMergeEntity,
  insertOrReplaceEntity,
  perform,
  type TableService,
} from '@rowkey/rest'
import { type BulkOptions, bulkSettings, type OpenBulk } from '../../bulk/bulk-options.ts'
import type {
  BulkChange,
  BulkKind,
  BulkOperation,
  BulkTarget,
  ItemRule,
} from '../../bulk/bulk-target.ts'
import { openInput } from '../../bulk/input-reader.ts'
import type { RowOrigin } from '../../snapshot/snapshot.ts'
import {
  type CopyMode,
  type CopyOptions,
  copyOptions,
  type DeleteAllOptions,
  deleteAllOptions,
  type RawOptions,
} from './raw-options.ts'

/** The parts of a `RawTable`. */
export interface RawTableParts {
  /** The account. */
  readonly service: TableService
  /** The table's name. */
  readonly name: string
  /** Identifies the table among those of all accounts. */
  readonly origin: RowOrigin
  /** Returns what writes its entities together with the rows of its keepers; `undefined` without keepers. */
  readonly kept: () => KeptRows | undefined
}

/** Writes the entities of a table together with the rows of its keepers. */
export interface KeptRows {
  readonly target: BulkTarget
  /** Why rows must not be copied into the table as they are stored; absent when they may. */
  readonly uncopied?: string | undefined
}

/** Rows to delete or to copy. */
export interface RawRows {
  /** Fetches them, with the options of calls. */
  readonly fetch: (options: RawOptions) => AsyncIterable<RawEntity>
  /** Whether the rows of keepers, such as index entries, are among them. */
  readonly hasKept: boolean
}

/** A run that deletes rows. */
interface RawDelete {
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
  deleteAllOptions.check(options, where)
  const { etag, ...rest } = options
  const kept = table.kept()?.target
  if (kept !== undefined && rows.hasKept) throw keptBeside(table.name)
  return open(table, rows, { where, options: { ...rest, onConflict }, kind: 'delete', etag, kept })
}

/** A run that copies rows. */
interface RawCopy {
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
  copyOptions.check(options, where)
  const { mode = 'insertOrReplace', onConflict, ...rest } = options
  const { name, origin } = table
  const kept = table.kept()
  if (isSame(source.origin, origin)) {
    throw invalidOption(`${where} needs another table; ${name} cannot be copied to itself.`)
  }
  if (kept?.uncopied !== undefined) throw invalidOption(`${where}: ${kept.uncopied}`)
  if (kept !== undefined) throw keptElsewhere(name, where)
  return open(table, rows, { where, options: { ...rest, onConflict }, kind: mode })
}

interface RawRun {
  readonly where: string
  readonly options: BulkOptions
  readonly kind: CopyMode | 'delete'
  readonly etag?: '*' | undefined
  /** What writes the rows instead. */
  readonly kept?: BulkTarget | undefined
}

function open(
  { service, name: table }: RawTableParts,
  { fetch }: RawRows,
  { where, options, kind, etag, kept }: RawRun,
): OpenBulk {
  // A row that is gone was to be deleted.
  const onMissing = kind === 'delete' ? 'skip' : 'fail'
  const settings = bulkSettings({ ...options, onMissing }, where)
  service.withDeadline(settings.call) // checks the options of calls
  // A repeated upsert stores the same.
  const repeats = kind !== 'insert'
  return {
    table,
    settings: { ...settings, repeats },
    input: openInput<RawEntity>(fetch(settings.call), where),
    target: rawTarget(service, table, kept),
    rule: { kind, etag },
  }
}

function isSame(one: RowOrigin, other: RowOrigin): boolean {
  return one.account === other.account && one.table === other.table
}

/** A write at the same time would keep its rows in step with rows that are deleted a moment later. */
function keptBeside(table: string): InputError {
  return invalidOption(
    `deletePartition of table ${table}: writes of this table keep other rows in step, such as counts, and deletePartition deletes both without regard to each other. Use query().where(…).deleteAll(), which keeps them in step. To delete a partition with all that is in it while no program writes, use account.table('${table}').deletePartition(…).`,
  )
}

/** Copied rows would lack the rows of keepers, such as index entries, or replace those of rows that are there, such as counts. */
function keptElsewhere(table: string, where: string): InputError {
  return invalidOption(
    `${where}: writes of table ${table} keep other rows in step, such as index entries, and copied rows would not be in step with them. Read the entities and write them with bulk(). To copy a whole table with all that is in it to an empty one, use account.table('${table}') as the destination.`,
  )
}

/** The writes of a whole row that need no condition. */
const OPERATIONS: Partial<Record<BulkKind, Change['operation']>> = {
  insert: insertEntity,
  insertOrMerge: insertOrMergeEntity,
  insertOrReplace: insertOrReplaceEntity,
}

/**
 * Returns a table as a bulk writer of rows needs it: rows are written and deleted as they were fetched.
 * Nothing is decoded, decrypted or checked by a model.
 *
 * @param service - the account
 * @param table - the table's name
 * @param kept - writes the rows instead, together with those of keepers
 */
function rawTarget(service: TableService, table: string, kept?: BulkTarget): BulkTarget {
  if (kept !== undefined) return { ...kept, toOperation }
  return {
    service,
    table,
    toOperation,

    change({ kind, subject, etag }): BulkChange {
      const operation = OPERATIONS[kind]
      if (operation === undefined) {
        const input = { table, key: subject as EntityKey, body: '', etag }
        return { operation: deleteEntity, input, entity: undefined }
      }
      const raw = subject as RawEntity // RawTable gives rows to write, and keys to delete
      const input = { table, key: keyOfRaw(raw), body: rawText(raw) }
      return { operation, input, entity: undefined }
    },

    bytesOf: (change) => changeBytes(change, service.endpoint),

    undigested: new Set(),

    etagOf: () => undefined,

    // Copies have no journal.
    storedEtag: async () => undefined,

    async send(changes, options) {
      const [first] = changes
      if (first === undefined || changes.length > 1) {
        return perform(service, entityGroupTransaction, { table, changes }, options)
      }
      return [await perform(service, first.operation, first.input, options)]
    },

    modify() {
      throw invalidOption(
        `Rows of table ${table} are copied as they are, so a conflict cannot be modified. Use 'fail' or 'skip'.`,
      )
    },
  }
}

/** Makes the operation of a row as it was fetched. */
function toOperation(item: unknown, { kind = 'delete', etag }: ItemRule): BulkOperation {
  const raw = item as RawEntity // RawTable fetches rows
  if (kind !== 'delete') return { kind, subject: raw, etag }
  return { kind, subject: keyOfRaw(raw), etag: etag ?? etagOfRaw(raw) }
}

function etagOfRaw(raw: RawEntity): string | undefined {
  const etag = raw['odata.etag']
  return typeof etag === 'string' ? etag : undefined
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
