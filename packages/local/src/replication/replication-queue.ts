import { localInputError, printValue } from '../errors/codes.ts'
import type { TableStore } from '../store/table-store.ts'

/** A write that the secondary has not seen yet. */
interface Pending {
  readonly time: number
  readonly due: number
  readonly apply: Apply
}

/** Does a write once more, in the copy. */
export type Apply = (copy: TableStore) => Promise<unknown>

/**
 * Writes on their way to the secondary, in the order in which they were made. No write is due before
 * an earlier one to its partition, nor one to a table as a whole before any to its rows.
 */
export class ReplicationQueue {
  readonly #now: () => number
  readonly #lag: ReplicationOptions['lag']
  /** When the last write of a place is due; the places are tables as wholes, and partitions. */
  readonly #dues = new Map<string, number>()
  #pending: Pending[] = []

  /**
   * @param now - milliseconds since 1970, UTC
   * @param lag - milliseconds
   */
  constructor(now: () => number, lag: ReplicationOptions['lag']) {
    this.#now = now
    this.#lag = lag
  }

  /** Puts a write at the end. */
  add(write: ReplicatedWrite, apply: Apply): void {
    const time = this.#now()
    this.#pending.push({ time, due: this.#dueOf(write, time + this.#lagOf(write)), apply })
  }

  /** Takes out what is due by now, in order. */
  takeDue(): readonly Apply[] {
    const now = this.#now()
    const due = this.#pending.filter((one) => one.due <= now)
    if (due.length > 0) this.#pending = this.#pending.filter((one) => one.due > now)
    if (this.#pending.length === 0) this.#dues.clear()
    return due.map(({ apply }) => apply)
  }

  /** The moment before which every write has been taken out or is due. */
  lastSyncTime(): number {
    const now = this.#now()
    const missing = this.#pending.filter(({ due }) => due > now).map(({ time }) => time)
    return missing.reduce((first, time) => Math.min(first, time), now)
  }

  /** Forgets what was on its way. */
  clear(): void {
    this.#pending = []
    this.#dues.clear()
  }

  #lagOf(write: ReplicatedWrite): number {
    if (typeof this.#lag === 'number') return this.#lag
    const lag = this.#lag(write)
    if (Number.isFinite(lag) && lag >= 0) return lag
    // Without a time it would never arrive, and not count as missing either.
    throw localInputError({
      code: 'InvalidOptionValue',
      message: `The lag function of replication must give milliseconds, 0 or more, not ${printValue(lag)}.`,
    })
  }

  #dueOf({ account, table, partitionKey }: ReplicatedWrite, wanted: number): number {
    const whole = JSON.stringify([account, table])
    const anyRow = JSON.stringify([account, table, 'rows'])
    const rows = JSON.stringify([account, table, 'rows', partitionKey])
    const isOfRows = partitionKey !== undefined
    const after = isOfRows ? [whole, rows] : [whole, anyRow]
    const due = Math.max(wanted, ...after.map((place) => this.#dues.get(place) ?? wanted))
    this.#dues.set(isOfRows ? rows : whole, due)
    if (isOfRows) this.#dues.set(anyRow, Math.max(due, this.#dues.get(anyRow) ?? due))
    return due
  }
}

/** Where a write went, as far as it decides when the secondary sees it. */
export interface ReplicatedWrite {
  /** The account. */
  readonly account: string
  /** The table in lower case; `undefined` for the properties of the account. */
  readonly table: string | undefined
  /** The partition; `undefined` for a table that comes or goes, and for its access policies. */
  readonly partitionKey: string | undefined
}

/** How far the secondary is behind. */
export interface ReplicationOptions {
  /**
   * How long a write takes to reach the secondary, in milliseconds by the service's clock, or a
   * function that says it for each write. Writes to one partition arrive in their order and batches
   * arrive whole, whatever the function says; writes to different partitions may overtake each other.
   *
   * @example
   * ```ts
   * const clock = manualClock()
   * const local = localTableService({ now: clock.now, replication: { lag: 60_000 } })
   * ```
   */
  readonly lag: number | ((write: ReplicatedWrite) => number)
}
