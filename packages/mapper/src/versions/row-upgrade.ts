import type { EntityKey } from '@rowkey/odata'
import { InputError } from '@rowkey/odata'
import { BatchError, type CallOptions, EntityNotFoundError, ETagMismatchError } from '@rowkey/rest'
import { keyOfSnapshot, snapshotOf } from '../snapshot/snapshot.ts'
import type { TableQuery } from '../table/read/table-query.ts'

/** How often a row is read again when it keeps changing. */
const MAX_ATTEMPTS = 10

/** A table whose rows can be upgraded: a {@link Table} or a {@link UnionTable}. */
export interface UpgradableTable<Entity extends object> {
  /** Starts a query of all rows. */
  query(): TableQuery<Entity>
  /** Starts a transaction. */
  batch(): UpgradeBatch<Entity>
  /** Replaces the stored entity. */
  replace(entity: Entity, options?: CallOptions): Promise<Entity>
  /** Reads one entity, if it exists. */
  find(
    target: readonly [partitionKey: string, rowKey: string],
    options?: CallOptions,
  ): Promise<Entity | undefined>
}

/** A transaction of an {@link UpgradableTable}. */
export interface UpgradeBatch<Entity extends object> {
  /** Adds a replace of an entity. */
  replace(entity: Entity): unknown
  /** Sends all changes in one request. */
  submit(options?: CallOptions): Promise<unknown>
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

  constructor(table: UpgradableTable<Entity>, call: CallOptions) {
    this.#table = table
    this.#call = call
  }

  /** Writes rows of one partition, in one transaction where that is possible. */
  async upgradeAll(rows: readonly Entity[]): Promise<UpgradeOutcome> {
    const batch = this.#table.batch()
    for (const row of rows) batch.replace(row)
    try {
      await batch.submit(this.#call)
      return { upgraded: rows.length, conflicts: 0 }
    } catch (error) {
      if (!(isInvalidBatch(error) || isConflict(error))) throw error
      // The batch is too large, or one row changed meanwhile: write each row alone.
      return rows.length === 1 ? this.#upgradeEach(rows) : this.#upgradeHalves(rows)
    }
  }

  async #upgradeHalves(rows: readonly Entity[]): Promise<UpgradeOutcome> {
    const middle = rows.length >> 1
    const first = await this.upgradeAll(rows.slice(0, middle))
    return added(first, await this.upgradeAll(rows.slice(middle)))
  }

  async #upgradeEach(rows: readonly Entity[]): Promise<UpgradeOutcome> {
    let outcome: UpgradeOutcome = { upgraded: 0, conflicts: 0 }
    for (const row of rows) outcome = added(outcome, await this.#upgrade(row))
    return outcome
  }

  async #upgrade(row: Entity): Promise<UpgradeOutcome> {
    let current: Entity | undefined = row
    let conflicts = 0
    for (;;) {
      const snapshot = current && snapshotOf(current)
      // Another program upgraded or deleted it.
      if (current === undefined || snapshot?.migrated !== 'forward')
        return { upgraded: 0, conflicts }
      try {
        await this.#table.replace(current, this.#call)
        return { upgraded: 1, conflicts }
      } catch (error) {
        if (!isConflict(error) || conflicts === MAX_ATTEMPTS) throw error
      }
      conflicts++
      const { partitionKey, rowKey }: EntityKey = keyOfSnapshot(snapshot)
      current = await this.#table.find([partitionKey, rowKey], this.#call)
    }
  }
}

function added(one: UpgradeOutcome, other: UpgradeOutcome): UpgradeOutcome {
  return {
    upgraded: one.upgraded + other.upgraded,
    conflicts: one.conflicts + other.conflicts,
  }
}

function isConflict(error: unknown): boolean {
  if (error instanceof BatchError) return error.status === 412 || error.status === 404
  return error instanceof ETagMismatchError || error instanceof EntityNotFoundError
}

/** Whether the rows are too large or too many for one batch. */
function isInvalidBatch(error: unknown): boolean {
  return error instanceof InputError && error.code === 'InvalidBatch'
}
