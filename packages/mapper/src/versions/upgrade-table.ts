import {
  aFunction,
  anything,
  declareOptions,
  describeKind,
  type EntityKey,
  invalidOption,
  wholeNumber,
} from '@rowkey/odata'
import { BatchError, type CallOptions, EntityNotFoundError, ETagMismatchError } from '@rowkey/rest'
import type { BulkOptions } from '../bulk/bulk-options.ts'
import type { BulkOutcome } from '../bulk/bulk-outcome.ts'
import { keylessRules } from '../options/call-options.ts'
import { keyOfSnapshot, snapshotOf } from '../snapshot/snapshot.ts'
import type { TableQuery } from '../table/read/table-query.ts'

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
  /** Receives the progress after each page, when the whole page is stored. */
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
 * changed in between is read again.
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
  // A row that was upgraded is not upgraded again, so markers would prove nothing new.
  const upgrade = new RowUpgrade(table, { ...call, exactWrites: false }, concurrency)
  let progress: UpgradeProgress = { read: 0, upgraded: 0, conflicts: 0, continuationToken }
  const pages = table
    .query()
    .allowTableScan()
    .byPage({ ...call, continuationToken })
  for await (const page of pages) {
    const done = await upgrade.upgradeAll(page.items)
    const read = progress.read + page.items.length
    const upgraded = progress.upgraded + done.upgraded
    const conflicts = progress.conflicts + done.conflicts
    progress = { read, upgraded, conflicts, continuationToken: page.continuationToken }
    onProgress?.(progress)
  }
  return progress
}

/** How often a row is read again when it keeps changing. */
const MAX_ATTEMPTS = 10

/** A table whose rows can be upgraded: a {@link Table} or a {@link UnionTable}. */
export interface UpgradableTable<Entity extends object> {
  /** Starts a query of all rows. */
  query(): TableQuery<Entity>
  /** Starts a bulk write. */
  bulk(options?: BulkOptions<Entity>): UpgradeWriter<Entity>
  /** Replaces the stored entity. */
  replace(entity: Entity, options?: CallOptions): Promise<Entity>
  /** Reads one entity, if it exists. */
  find(
    target: readonly [partitionKey: string, rowKey: string],
    options?: CallOptions,
  ): Promise<Entity | undefined>
}

/** A bulk writer of an {@link UpgradableTable}. */
export interface UpgradeWriter<Entity extends object> {
  /** Replaces the stored entities. */
  replace(entities: Iterable<Entity>): AsyncIterable<BulkOutcome<Entity>>
}

/** The outcome of some rows. */
interface UpgradeOutcome {
  /** The number of written rows. */
  readonly upgraded: number
  /** The number of writes that failed because the row had changed. */
  readonly conflicts: number
}

/** Writes migrated rows of one table. */
class RowUpgrade<Entity extends object> {
  readonly #table: UpgradableTable<Entity>
  readonly #call: CallOptions
  readonly #concurrency: number | undefined

  constructor(table: UpgradableTable<Entity>, call: CallOptions, concurrency: number | undefined) {
    this.#table = table
    this.#call = call
    this.#concurrency = concurrency
  }

  /**
   * Writes those of some rows that were migrated when they were read. A row that has changed since is read
   * again.
   */
  async upgradeAll(rows: readonly Entity[]): Promise<UpgradeOutcome> {
    const migrated = rows.filter((row) => snapshotOf(row)?.migrated === 'forward')
    const options: BulkOptions<Entity> = { ...this.#call, concurrency: this.#concurrency }
    let [upgraded, conflicts] = [0, 0]
    for await (const outcome of this.#table.bulk(options).replace(migrated)) {
      if (outcome.status === 'done') {
        upgraded++
        continue
      }
      if (outcome.status !== 'failed' || !isConflict(outcome.error)) throw outcome.error
      const again = await this.#upgradeAgain(outcome.item)
      upgraded += again.upgraded
      conflicts += 1 + again.conflicts
    }
    return { upgraded, conflicts }
  }

  /** Reads and writes a row that has changed since it was read. */
  async #upgradeAgain(row: Entity): Promise<UpgradeOutcome> {
    const { partitionKey, rowKey }: EntityKey = keyOfSnapshot(snapshotOf(row)!) // it was migrated
    for (let conflicts = 0; ; conflicts++) {
      const current = await this.#table.find([partitionKey, rowKey], this.#call)
      // Another program upgraded or deleted it.
      if (current === undefined || snapshotOf(current)?.migrated !== 'forward') {
        return { upgraded: 0, conflicts }
      }
      try {
        await this.#table.replace(current, this.#call)
        return { upgraded: 1, conflicts }
      } catch (error) {
        if (!isConflict(error) || conflicts === MAX_ATTEMPTS) throw error
      }
    }
  }
}

function isConflict(error: unknown): boolean {
  if (error instanceof BatchError) return error.status === 412 || error.status === 404
  return error instanceof ETagMismatchError || error instanceof EntityNotFoundError
}
