import {
  aFunction,
  anything,
  declareOptions,
  describeKind,
  invalidOption,
  wholeNumber,
} from '@rowkey/odata'
import { AmbiguousWriteError, type CallOptions } from '@rowkey/rest'
import type { BulkOptions } from '../bulk/bulk-options.ts'
import type { BulkOutcome } from '../bulk/bulk-outcome.ts'
import { ModifyConflictError } from '../errors/modify-conflict-error.ts'
import { lifetimeIn, lifetimeOf } from '../lifetime/lifetime-table.ts'
import { keylessRules } from '../options/call-options.ts'
import { snapshotOf } from '../snapshot/snapshot.ts'
import type { Table } from '../table/table.ts'
import type { TableQuery } from '../table/table-query.ts'

/** The progress of {@link upgradeTable}. */
export interface UpgradeProgress {
  /** The number of rows that were read. */
  readonly read: number
  /** The number of rows of an earlier version that were upgraded. */
  readonly upgraded: number
  /** The number of writes that failed because the row had changed; these rows were read again. */
  readonly conflicts: number
  /** Where a later run can continue; `undefined` at the end of the table. */
  readonly continuationToken: string | undefined
}

/** The options of {@link upgradeTable}; call options apply to each request, and `deadline` to each page of rows. */
export interface UpgradeOptions extends Omit<CallOptions, 'idempotencyKey'> {
  /**
   * How many transactions may be in flight at once: fewer while the service throttles.
   *
   * @defaultValue the level of the account, from 8 to 64
   */
  readonly concurrency?: number | undefined
  /** Where to continue, from the progress of an earlier run; the start of the table when absent. */
  readonly continuationToken?: string | undefined
  /** Receives the progress after each page, when the whole page is stored. It is awaited. */
  readonly onProgress?: ((progress: UpgradeProgress) => void) | undefined
}

const upgradeOptions = declareOptions<UpgradeOptions>({
  ...keylessRules,
  concurrency: wholeNumber(),
  continuationToken: anything,
  onProgress: aFunction,
})

/**
 * Upgrades every row of an earlier version, so that the program can drop support for earlier versions. It
 * reads the whole table page by page and replaces rows by a bulk write, with their ETags. A row that
 * changed in between is read again. Rows that a lifetime hides are upgraded, too: they can be restored.
 *
 * A second run has nothing to do. After a failure, run it again, or continue from the last progress.
 *
 * @param table - the table of a model with a `version`, or of a union with one
 * @returns the final progress
 * @throws InputError (`InvalidOptionValue`) for an argument that is not a table
 * @throws DecodeError (`UnreadableVersion`) and DecodeError (`MigrationFailed`) for a row that cannot be
 * migrated
 *
 * @example
 * ```ts
 * const { upgraded } = await upgradeTable(account.table(OrderV2), {
 *   onProgress: ({ read, continuationToken }) => log(read, continuationToken),
 * })
 * ```
 */
export async function upgradeTable<Entity extends object>(
  table: UpgradableTable<Entity>,
  options: UpgradeOptions = {},
): Promise<UpgradeProgress> {
  if (typeof Object(table).query !== 'function') {
    throw invalidOption(
      `upgradeTable takes a table, such as account.table(Order); got ${describeKind(table)}.`,
    )
  }
  upgradeOptions.check(options, 'upgradeTable')
  const { concurrency, continuationToken, onProgress, ...call } = options
  let progress: UpgradeProgress = { read: 0, upgraded: 0, conflicts: 0, continuationToken }
  const whole = withHiddenRows(table)
  const pages = whole
    .query()
    .allowTableScan()
    .byPage({ ...call, locationMode: 'primaryOnly', continuationToken })
  for await (const page of pages) {
    // A row that was upgraded is not upgraded again, so markers would prove nothing new.
    const done = await upgradeAll(whole, page.items, { ...call, exactWrites: false, concurrency })
    const read = progress.read + page.items.length
    const upgraded = progress.upgraded + done.upgraded
    const conflicts = progress.conflicts + done.conflicts
    progress = { read, upgraded, conflicts, continuationToken: page.continuationToken }
    await onProgress?.(progress)
  }
  return progress
}

/** Returns the table with the rows that have expired or are deleted softly. */
function withHiddenRows<Entity extends object>(
  table: UpgradableTable<Entity>,
): UpgradableTable<Entity> {
  // A program may load the mapper twice, as ESM and as CommonJS, so the class does not tell.
  const { parts }: Partial<Pick<Table<Entity>, 'parts'>> = Object(table)
  if (parts === undefined || lifetimeIn(parts) === undefined) return table
  return lifetimeOf<Entity, object, object>(table as Table<Entity, object, object>).all
}

/** A table whose rows can be upgraded: a {@link Table} or a {@link UnionTable}. */
export interface UpgradableTable<Entity extends object> {
  /** Starts a query of all rows. */
  query(): TableQuery<Entity>
  /** Starts a bulk write. */
  bulk(options?: BulkOptions<Entity>): UpgradeWriter<Entity>
}

/** A bulk writer of an {@link UpgradableTable}. */
export interface UpgradeWriter<Entity extends object> {
  /** Replaces the stored entities. */
  replace(entities: Iterable<Entity>): AsyncIterable<BulkOutcome<Entity>>
}

/** How often rows are written whose writes stay in doubt. */
const MOST_PASSES = 3

/** Writes those of some rows that were migrated when they were read. A row that has changed since is read again. */
async function upgradeAll<Entity extends object>(
  table: UpgradableTable<Entity>,
  rows: readonly Entity[],
  options: BulkOptions<Entity>,
): Promise<Pick<UpgradeProgress, 'upgraded' | 'conflicts'>> {
  let [upgraded, conflicts] = [0, 0]
  /** The rows that another program has upgraded since they were read. */
  const current = new Set<object>()
  const writer = table.bulk({
    ...options,
    onMissing: 'skip',
    onConflict: 'modify',
    modify(stored, row) {
      conflicts++
      if (isOld(stored)) current.delete(row)
      else current.add(row)
    },
  })
  let waiting = rows.filter(isOld)
  for (let pass = 1; waiting.length > 0; pass++) {
    const inDoubt: Entity[] = []
    for await (const outcome of writer.replace(waiting)) {
      const { status, item } = outcome
      const isInDoubt = status === 'unknown' && outcome.error instanceof AmbiguousWriteError
      if (isInDoubt && pass < MOST_PASSES) inDoubt.push(item as Entity)
      else if (status === 'skipped') conflicts++
      else if (status !== 'done') throw causeOf(outcome.error)
      else if (!current.has(item)) upgraded++
    }
    // Replaced again, a row that has its new version meanwhile is a conflict.
    waiting = inDoubt
  }
  return { upgraded, conflicts }
}

function isOld(row: object): boolean {
  return snapshotOf(row)?.other === 'earlier'
}

/** Returns the conflict of the last attempt, for a row that kept changing. */
function causeOf(error: unknown): unknown {
  return error instanceof ModifyConflictError ? error.cause : error
}
