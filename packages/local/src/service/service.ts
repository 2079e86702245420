import { DateTimeValue } from '@rowkey/odata'
import type { Flavour } from '@rowkey/rest'
import type { AccountKeys } from '../account/account.ts'
import type { FaultRules } from '../faults/faults.ts'
import { Rejection } from '../rejection/rejection.ts'
import type { Replication } from '../replication/replication.ts'
import type { RequestLog } from '../request-log/request-log.ts'
import { foldedName, type TableStore } from '../store/table-store.ts'
import type { BearerCheck } from './local-options.ts'

const TICKS_PER_MILLISECOND = 10_000

/** The service's time, for comparing dates and for the stamps that become ETags. */
interface Clock {
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number
  /** Returns a time later than every stamp before it. */
  stamp(): DateTimeValue
}

/** The least part of a millisecond that a time around the year 2000 can express. */
const LEAST_FRACTION = 0.0005

/**
 * Returns the time of the machine with a part of a millisecond, as the ETags of the service have. The
 * part alone is not exact: only its differences matter.
 */
export function machineTime(): number {
  // Some sandboxes of tests lack `performance`.
  const part = typeof performance === 'undefined' ? 0 : performance.now() % 1
  return Date.now() + Math.max(part, LEAST_FRACTION)
}

/** A clock whose stamps never repeat, even when the time stops or goes back. */
export class ServiceClock implements Clock {
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number
  readonly #hasSevenDigits: boolean
  #milliseconds = Number.NEGATIVE_INFINITY
  #ticks = 0

  /**
   * @param now - milliseconds since 1970, UTC
   * @param flavour - on Cosmos DB no stamp ends in a zero, so that ETags always have seven digits
   */
  constructor(now: () => number, flavour: Flavour = 'storage') {
    this.now = now
    this.#hasSevenDigits = flavour === 'cosmos'
  }

  /**
   * Returns a time at least 100 ns later than every stamp before it, so that two versions of a row
   * never share an ETag. Parts of a millisecond count. It runs ahead of a clock that stands still or goes back.
   */
  stamp(): DateTimeValue {
    const now = this.now()
    const milliseconds = Math.floor(now)
    const ticks = Math.floor((now - milliseconds) * TICKS_PER_MILLISECOND)
    const isLater =
      milliseconds > this.#milliseconds ||
      (milliseconds === this.#milliseconds && ticks > this.#ticks)
    if (isLater) {
      this.#milliseconds = milliseconds
      this.#ticks = ticks
    } else if (++this.#ticks === TICKS_PER_MILLISECOND) {
      this.#milliseconds += 1
      this.#ticks = 0
    }
    if (this.#hasSevenDigits && this.#ticks % 10 === 0) this.#ticks += 1
    return new DateTimeValue(this.#milliseconds, this.#ticks)
  }

  /** Makes later stamps later than one that another clock gave earlier. */
  startAfter(stamp: DateTimeValue | undefined): void {
    if (stamp === undefined || stamp.getTime() < this.#milliseconds) return
    this.#ticks = Math.max(
      stamp.ticksPastMs,
      stamp.getTime() === this.#milliseconds ? this.#ticks : 0,
    )
    this.#milliseconds = stamp.getTime()
  }
}

/** Keeps the names over a restart. */
type NameStore = Pick<TableStore, 'keptNames' | 'setKeptNames'>

/** The names of recently deleted tables, which stay reserved for a while. */
export class TableDeletions {
  readonly #store: NameStore
  readonly #now: () => number
  readonly #keepNameFor: number
  readonly #flavour: Flavour
  #ends: Map<string, number> | undefined

  /**
   * @param store - keeps the names
   * @param now - milliseconds since 1970, UTC
   * @param keepNameFor - milliseconds
   * @param flavour - the service that the tables imitate
   */
  constructor(
    store: NameStore,
    now: () => number,
    keepNameFor: number,
    flavour: Flavour = 'storage',
  ) {
    this.#store = store
    this.#now = now
    this.#keepNameFor = keepNameFor
    this.#flavour = flavour
  }

  /** Reserves the name of a table that is being deleted. */
  async begin(account: string, table: string): Promise<void> {
    if (this.#keepNameFor === 0) return
    const ends = await this.#loaded()
    const now = this.#now()
    for (const [key, end] of ends) if (end <= now) ends.delete(key)
    ends.set(this.#keyOf(account, table), now + this.#keepNameFor)
    await this.#store.setKeptNames(new Map(ends))
  }

  /** Frees all names. */
  async clear(): Promise<void> {
    if (this.#keepNameFor === 0) return
    const ends = await this.#loaded()
    ends.clear()
    await this.#store.setKeptNames(new Map())
  }

  /**
   * Rejects a name that is reserved.
   *
   * @throws Rejection TableBeingDeleted
   */
  async check(account: string, table: string): Promise<void> {
    if (this.#keepNameFor === 0) return
    const ends = await this.#loaded()
    const key = this.#keyOf(account, table)
    const end = ends.get(key)
    if (end === undefined) return
    if (this.#now() < end) throw new Rejection('TableBeingDeleted')
    ends.delete(key)
  }

  async #loaded(): Promise<Map<string, number>> {
    const names = this.#ends ?? (await this.#store.keptNames())
    // When several callers load the names at once, all use the first result.
    this.#ends ??= new Map(names)
    return this.#ends
  }

  #keyOf(account: string, table: string): string {
    return `${account}/${foldedName(table, this.#flavour)}`
  }
}

/** What all requests to one service share. */
export interface Service {
  /** The accounts with their keys. */
  readonly accounts: AccountKeys
  /** The service that this one imitates. */
  readonly flavour: Flavour
  /** The tables of the primary. */
  readonly store: TableStore
  /** The delayed copy that the secondary shows; without it, both locations are the same. */
  readonly replication: Replication | undefined
  /** Compares dates, and stamps writes. */
  readonly clock: Clock
  /** The names of recently deleted tables. */
  readonly deletions: TableDeletions
  /** The rules that inject faults. */
  readonly faults: FaultRules
  /** The latest requests. */
  readonly requests: RequestLog
  /** How many rows a query may read before its page ends. */
  readonly rowsToRead: number
  /** Decides whether to accept a bearer token; without it, none is accepted. */
  readonly checkBearer: BearerCheck | undefined
  /** Makes the ids of requests and of multipart boundaries. Each must be unique. */
  newId(): string
  /** Receives every internal error of the service. */
  report(error: unknown): void
}

/** Returns the service as one of the account's locations shows it. */
export async function placeOf(service: Service, isSecondary: boolean): Promise<Service> {
  const { replication } = service
  if (replication === undefined) return service
  const store = isSecondary ? await replication.secondary() : await replication.primary()
  return { ...service, store }
}
