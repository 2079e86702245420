import { invalidOption } from '../errors/invalid-option.ts'
import type { TableStore } from '../store/table-store.ts'

/** A write that the secondary does not have yet. */
interface Pending {
  readonly time: number
  readonly due: number
  readonly apply: Apply
}

/** Repeats a write in the copy. */
type Apply = (copy: TableStore) => Promise<unknown>

/**
 * The pending writes of the secondary, in the order in which they were made. A write is never due
 * before an earlier one to its partition, and a write to a whole table never before any to its
 * rows.
 */
export class ReplicationQueue {
  readonly #now: () => number
  readonly #lag: ReplicationOptions['lag']
  /** When the last write to a place is due. A place is a whole table, or a partition. */
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

  /**
   * Queues a write.
   *
   * @throws InputError (`InvalidOptionValue`) for an invalid lag
   */
  add(write: ReplicatedWrite, apply: Apply): void {
    const time = this.#now()
    this.#pending.push({ time, due: this.#dueOf(write, time + this.#lagOf(write)), apply })
  }

  /** Removes and returns the writes that are due, in order. */
  takeDue(): readonly Apply[] {
    const now = this.#now()
    const due = this.#pending.filter((one) => one.due <= now)
    if (due.length > 0) this.#pending = this.#pending.filter((one) => one.due > now)
    if (this.#pending.length === 0) this.#dues.clear()
    return due.map(({ apply }) => apply)
  }

  /** Returns the time before which no write is pending. */
  lastSyncTime(): number {
    const now = this.#now()
    const missing = this.#pending.filter(({ due }) => due > now).map(({ time }) => time)
    return missing.reduce((first, time) => Math.min(first, time), now)
  }

  /** Drops all pending writes. */
  clear(): void {
    this.#pending = []
    this.#dues.clear()
  }

  #lagOf(write: ReplicatedWrite): number {
    if (typeof this.#lag === 'number') return this.#lag
    const lag = this.#lag(write)
    if (Number.isFinite(lag) && lag >= 0) return lag
    // A write without a valid time would never arrive, and would not count as missing.
    throw invalidOption({
      name: 'result of the lag function of replication',
      value: lag,
      rule: 'milliseconds, 0 or more',
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

/** The place of a write, on which its lag may depend. */
export interface ReplicatedWrite {
  /** The account. */
  readonly account: string
  /** The table in lower case; `undefined` for the properties of the account. */
  readonly table: string | undefined
  /** The partition; `undefined` for the table itself and its access policies. */
  readonly partitionKey: string | undefined
}

/** Options of {@link LocalTableServiceOptions.replication}. */
export interface ReplicationOptions {
  /**
   * How long a write takes to reach the secondary: milliseconds by the service's clock, or a
   * function that returns them for each write. Writes to one partition always arrive in order, and
   * batches always arrive whole. Writes to different partitions may overtake each other.
   *
   * @example
   * ```ts
   * const clock = manualClock()
   * const local = localTableService({ now: clock.now, replication: { lag: 60_000 } })
   * ```
   */
  readonly lag: number | ((write: ReplicatedWrite) => number)
}
