import type { EntityKey } from '@rowkey/odata'
import { BatchError, type CallOptions, EntityNotFoundError, ETagMismatchError } from '@rowkey/rest'
import type { BulkOptions } from '../bulk/bulk-options.ts'
import type { BulkOutcome } from '../bulk/bulk-outcome.ts'
import { keyOfSnapshot, snapshotOf } from '../snapshot/snapshot.ts'
import type { TableQuery } from '../table/read/table-query.ts'

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
export interface UpgradeOutcome {
  /** The number of written rows. */
  readonly upgraded: number
  /** The number of writes that failed because the row had changed. */
  readonly conflicts: number
}

/** Writes migrated rows of one table. */
export class RowUpgrade<Entity extends object> {
  readonly #table: UpgradableTable<Entity>
  readonly #call: CallOptions
  readonly #concurrency: number

  constructor(table: UpgradableTable<Entity>, call: CallOptions, concurrency: number) {
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
