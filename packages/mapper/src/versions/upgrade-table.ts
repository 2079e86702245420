import { resultsInOrder } from '@rowkey/query'
import { type CallOptions, checkOptions } from '@rowkey/rest'
import { mapperInputError } from '../errors/codes.ts'
import { CALL_OPTION_NAMES } from '../table/call-options.ts'
import type { Table } from '../table/table.ts'
import { RowUpgrade } from './row-upgrade.ts'
import { upgradeBatches } from './upgrade-batches.ts'

/** How far {@link upgradeTable} is. */
export interface UpgradeProgress {
  /** How many rows were read. */
  readonly read: number
  /** How many of them were of an earlier version, and were written as the latest. */
  readonly upgraded: number
  /** How many writes were refused, since someone else wrote the row; those rows were read again. */
  readonly conflicts: number
  /** From where a later run can go on; `undefined` at the end of the table. */
  readonly continuationToken: string | undefined
}

/** What {@link upgradeTable} takes; the options of calls are those of each request. */
export interface UpgradeOptions extends CallOptions {
  /**
   * How many batches at most are under way at once.
   *
   * @defaultValue 4
   */
  readonly concurrency?: number | undefined
  /** Where to go on, from the progress of an earlier run; the whole table when absent. */
  readonly continuationToken?: string | undefined
  /** Is told after each page, when all of it is stored. */
  readonly onProgress?: ((progress: UpgradeProgress) => void) | undefined
}

const OPTION_NAMES: readonly string[] = [
  ...CALL_OPTION_NAMES,
  'concurrency',
  'continuationToken',
  'onProgress',
]

/**
 * Writes every row of a table that is of an earlier version as what it was migrated to, so that earlier
 * versions can be forgotten. It reads the whole table, page by page, and replaces rows in batches by
 * partition, each under the condition that nobody wrote it since; what somebody did write is read again.
 *
 * Run twice, it finds nothing to do. After a failure, run it again, or go on from the last progress.
 *
 * @param table - of a model with a `version`, or of a union of such
 * @returns the progress at the end
 * @throws DecodeError (`UnreadableVersion`) and DecodeError (`MigrationFailed`) for a row that cannot be migrated
 *
 * @example
 * ```ts
 * const { upgraded } = await upgradeTable(account.table(OrderV2), {
 *   onProgress: ({ read, continuationToken }) => log(read, continuationToken),
 * })
 * ```
 */
export async function upgradeTable<Entity extends object, Input extends object, Key extends object>(
  table: Table<Entity, Input, Key>,
  options: UpgradeOptions = {},
): Promise<UpgradeProgress> {
  checkOptions(options, OPTION_NAMES, 'upgradeTable')
  const { concurrency = 4, continuationToken, onProgress, ...call } = options
  checkValues(concurrency, onProgress)
  const row = new RowUpgrade(table, call)
  let progress: UpgradeProgress = { read: 0, upgraded: 0, conflicts: 0, continuationToken }
  const pages = table
    .query()
    .allowTableScan()
    .byPage({ ...call, continuationToken })
  for await (const page of pages) {
    const batches = upgradeBatches(page.items)
    const how = { concurrency, signal: call.signal }
    for await (const done of resultsInOrder(batches, (batch) => row.upgradeAll(batch), how)) {
      const upgraded = progress.upgraded + done.upgraded
      progress = { ...progress, upgraded, conflicts: progress.conflicts + done.conflicts }
    }
    const read = progress.read + page.items.length
    progress = { ...progress, read, continuationToken: page.continuationToken }
    onProgress?.(progress)
  }
  return progress
}

function checkValues(concurrency: unknown, onProgress: unknown): void {
  if (!Number.isInteger(concurrency) || Number(concurrency) < 1) {
    throw mapperInputError({
      code: 'InvalidOptionValue',
      message: 'concurrency of upgradeTable is a whole number from 1.',
    })
  }
  if (onProgress !== undefined && typeof onProgress !== 'function') {
    throw mapperInputError({
      code: 'InvalidOptionValue',
      message: 'onProgress of upgradeTable is a function.',
    })
  }
}
