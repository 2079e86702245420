import { type CallOptions, checkOptions } from '@rowkey/rest'
import { mapperInputError } from '../errors/codes.ts'
import { keyOfSnapshot, snapshotOf } from '../snapshot/snapshot.ts'
import { namesWithCall } from '../table/call-options.ts'
import { RowUpgrade, type UpgradableTable } from './row-upgrade.ts'

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
export interface UpgradeOptions extends CallOptions {
  /**
   * The most concurrent transactions.
   *
   * @defaultValue 4
   */
  readonly concurrency?: number | undefined
  /** Where to continue, from the progress of an earlier run; the start of the table when absent. */
  readonly continuationToken?: string | undefined
  /** Receives the progress after each page, when the whole page is stored. */
  readonly onProgress?: ((progress: UpgradeProgress) => void) | undefined
}

const OPTION_NAMES = namesWithCall<UpgradeOptions>({
  concurrency: true,
  continuationToken: true,
  onProgress: true,
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
  checkOptions(options, OPTION_NAMES, 'upgradeTable')
  const { concurrency = 4, continuationToken, onProgress, idempotencyKey: _, ...call } = options
  checkValues(concurrency, onProgress)
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

function checkValues(concurrency: unknown, onProgress: unknown): void {
  if (!Number.isInteger(concurrency) || Number(concurrency) < 1) {
    throw mapperInputError({
      code: 'InvalidOptionValue',
      message: 'concurrency of upgradeTable must be a whole number from 1.',
    })
  }
  if (onProgress !== undefined && typeof onProgress !== 'function') {
    throw mapperInputError({
      code: 'InvalidOptionValue',
      message: 'onProgress of upgradeTable must be a function.',
    })
  }
}

/** The most changes of one entity group transaction. */
const MAX_BATCH = 100

/**
 * Groups the rows that were migrated when they were read, so that one transaction can write each group.
 *
 * @param rows - in the order of their keys
 */
export function upgradeBatches<Entity extends object>(rows: Iterable<Entity>): Entity[][] {
  const batches: Entity[][] = []
  let partition: string | undefined
  for (const row of rows) {
    const snapshot = snapshotOf(row)
    if (snapshot?.migrated !== 'forward') continue
    const { partitionKey } = keyOfSnapshot(snapshot)
    const batch = batches.at(-1)
    if (batch && partitionKey === partition && batch.length < MAX_BATCH) batch.push(row)
    else batches.push([row])
    partition = partitionKey
  }
  return batches
}
