import type { EntityKey } from '@rowkey/odata'
import { InputError } from '@rowkey/odata'
import { BatchError, type CallOptions, EntityNotFoundError, ETagMismatchError } from '@rowkey/rest'
import { keyOfSnapshot, snapshotOf } from '../snapshot/snapshot.ts'
import type { Table } from '../table/table.ts'

/** How often a row is read again, when others keep writing it. */
const MAX_ATTEMPTS = 10

/** What became of some rows. */
export interface UpgradeOutcome {
  /** How many were written. */
  readonly upgraded: number
  /** How many writes were refused, since someone else wrote the row. */
  readonly conflicts: number
}

/** Writes migrated rows of one table. */
export class RowUpgrade<Entity extends object, Input extends object, Key extends object> {
  readonly #table: Table<Entity, Input, Key>
  readonly #call: CallOptions

  constructor(table: Table<Entity, Input, Key>, call: CallOptions) {
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
      // Too large together, or one of them was written meanwhile: the others do not wait for that.
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
      // Another program upgraded it, or deleted it.
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

/** The rows are too large together, or too many. */
function isInvalidBatch(error: unknown): boolean {
  return error instanceof InputError && error.code === 'InvalidBatch'
}
