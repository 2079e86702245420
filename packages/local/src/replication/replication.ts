import {
  checkValue,
  type DeclaredOptions,
  declareOptions,
  milliseconds,
  required,
  rule,
} from '@rowkey/odata'
import { MemoryStore } from '../store/memory-store.ts'
import { copyStore, type StoredTable, type TableStore } from '../store/table-store.ts'

/** Makes a store that forwards everything to another one, and queues every write for the secondary. */
export function recordingStore(store: TableStore, queue: ReplicationQueue): TableStore {
  const add = (account: string, name: string | undefined, apply: Apply): void =>
    queue.add({ account, table: name?.toLowerCase(), partitionKey: undefined }, apply)
  return {
    async createTable(account, name) {
      const created = await store.createTable(account, name)
      if (created) add(account, name, (copy) => copy.createTable(account, name))
      return created
    },
    async dropTable(account, name) {
      const dropped = await store.dropTable(account, name)
      if (dropped) add(account, name, (copy) => copy.dropTable(account, name))
      return dropped
    },
    async findTable(account, name) {
      const table = await store.findTable(account, name)
      return table && recordingTable(table, queue, account)
    },
    tableNames: (account) => store.tableNames(account),
    properties: (account) => store.properties(account),
    async setProperties(account, changes) {
      await store.setProperties(account, changes)
      add(account, undefined, (copy) => copy.setProperties(account, changes))
    },
    keptNames: () => store.keptNames(),
    // The secondary rejects deletions, so it needs no names.
    setKeptNames: (names) => store.setKeptNames(names),
    close: () => store.close(),
  }
}

function recordingTable(table: StoredTable, queue: ReplicationQueue, account: string): StoredTable {
  const { name } = table
  /** Drops a write to a table that is deleted in the meantime. */
  const add = (
    partitionKey: string | undefined,
    apply: (copied: StoredTable) => Promise<unknown>,
  ): void =>
    queue.add({ account, table: name.toLowerCase(), partitionKey }, async (copy) => {
      const copied = await copy.findTable(account, name)
      if (copied !== undefined) await apply(copied)
    })
  return {
    name,
    get: (key) => table.get(key),
    scan: (range, visit) => table.scan(range, visit),
    async change(keys, decide) {
      const next = await table.change(keys, decide)
      add(keys[0]?.partitionKey, (copied) => copied.change(keys, () => next))
      return next
    },
    policies: () => table.policies(),
    async setPolicies(policies) {
      await table.setPolicies(policies)
      add(undefined, (copied) => copied.setPolicies(policies))
    },
  }
}

/** The parts of a {@link Replication}. */
export interface ReplicationParts extends ReplicationOptions {
  /** The store of the primary. */
  readonly store: TableStore
  /** The names of the accounts. */
  readonly accounts: readonly string[]
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number
}

/** Keeps a copy of a store in memory that follows with a lag: the content of the secondary. */
export class Replication {
  readonly #ground: ReplicationParts
  readonly #queue: ReplicationQueue
  readonly #primary: TableStore
  readonly #copy = new MemoryStore()
  #step: Promise<unknown> | undefined

  constructor(ground: ReplicationParts) {
    this.#ground = ground
    this.#queue = new ReplicationQueue(ground.now, ground.lag)
    this.#primary = recordingStore(ground.store, this.#queue)
  }

  /** Returns the store of the primary, whose writes are replicated. */
  async primary(): Promise<TableStore> {
    // A secondary that is never read would otherwise keep all writes.
    await (this.#queue.isLong ? this.secondary() : this.#begin())
    return this.#primary
  }

  /** Returns the copy with all writes that are due. It is read-only. */
  async secondary(): Promise<TableStore> {
    // One after another, so that no write overtakes one that another request is applying.
    await this.#take(this.#begin().then(() => this.#catchUp()))
    return this.#copy
  }

  /** Returns the time before which every write has arrived. */
  lastSyncTime(): number {
    return this.#queue.lastSyncTime()
  }

  /** Copies the whole store again, for a store whose content was replaced. */
  async restart(): Promise<void> {
    this.#queue.clear()
    this.#step = undefined
    await this.#begin()
  }

  /** A folder may contain tables from earlier; these have arrived long ago. */
  #begin(): Promise<unknown> {
    const { store, accounts } = this.#ground
    return this.#step ?? this.#take(copyStore(store, this.#copy, accounts))
  }

  /** The next caller repeats a step that failed, such as opening a locked folder. */
  #take(step: Promise<unknown>): Promise<unknown> {
    const taken = step.catch((error: unknown) => {
      if (this.#step === taken) this.#step = undefined
      throw error
    })
    this.#step = taken
    return taken
  }

  async #catchUp(): Promise<void> {
    for (const apply of this.#queue.takeDue()) await apply(this.#copy)
  }
}

/** A write that the secondary does not have yet. */
interface Pending {
  readonly time: number
  readonly due: number
  readonly apply: Apply
}

/** Repeats a write in the copy. */
type Apply = (copy: TableStore) => Promise<unknown>

/** The fewest pending writes that count as many. */
const MANY = 1000

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
  #many = MANY

  /**
   * @param now - milliseconds since 1970, UTC
   * @param lag - milliseconds
   */
  constructor(now: () => number, lag: ReplicationOptions['lag']) {
    this.#now = now
    this.#lag = lag
  }

  /**
   * Queues a write. It is due at once when its lag is invalid or cannot be determined.
   *
   * @throws InputError (`InvalidOptionValue`) for an invalid lag
   * @throws the error of the lag function
   */
  add(write: ReplicatedWrite, apply: Apply): void {
    const time = this.#now()
    let lag = 0
    try {
      lag = this.#lagOf(write)
    } finally {
      // The primary has made the write: without it, the two locations would differ forever.
      this.#pending.push({ time, due: this.#dueOf(write, time + lag), apply })
    }
  }

  /** Whether there are twice as many writes as {@link takeDue} left behind. */
  get isLong(): boolean {
    return this.#pending.length >= this.#many
  }

  /** Removes and returns the writes that are due, in order. */
  takeDue(): readonly Apply[] {
    const now = this.#now()
    const due = this.#pending.filter((one) => one.due <= now)
    if (due.length > 0) this.#pending = this.#pending.filter((one) => one.due > now)
    for (const [place, time] of this.#dues) if (time <= now) this.#dues.delete(place)
    this.#many = Math.max(MANY, 2 * this.#pending.length)
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
    // A write without a valid time would never arrive, and would not count as missing.
    return checkValue(lag, milliseconds, 'result of the lag function', 'replication')
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
   * batches always arrive whole. Writes to different partitions may overtake each other. When the
   * function throws, the request gets 500; its write was made, and arrives at once.
   *
   * @example
   * ```ts
   * const clock = manualClock()
   * const local = localTableService({ now: clock.now, replication: { lag: 60_000 } })
   * ```
   */
  readonly lag: number | ((write: ReplicatedWrite) => number)
}

/** The options of {@link LocalTableServiceOptions.replication}. */
export const replicationOptions: DeclaredOptions<ReplicationOptions> =
  declareOptions<ReplicationOptions>({
    lag: required(
      rule(
        `${milliseconds.text}, or a function that returns them`,
        (lag) => typeof lag === 'function' || milliseconds.accepts(lag),
      ),
    ),
  })
