import { type DeclaredOptions, declareOptions, milliseconds, required } from '@rowkey/odata'
import { MemoryStore } from '../store/memory-store.ts'
import { copyStore, type StoredTable, type TableStore } from '../store/table-store.ts'

/** Makes a store that forwards everything to another one, and queues every write for the secondary. */
export function recordingStore(store: TableStore, queue: ReplicationQueue): TableStore {
  return {
    async createTable(account, name) {
      const created = await store.createTable(account, name)
      if (created) queue.add((copy) => copy.createTable(account, name))
      return created
    },
    async dropTable(account, name) {
      const dropped = await store.dropTable(account, name)
      if (dropped) queue.add((copy) => copy.dropTable(account, name))
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
      queue.add((copy) => copy.setProperties(account, changes))
    },
    close: () => store.close(),
  }
}

function recordingTable(table: StoredTable, queue: ReplicationQueue, account: string): StoredTable {
  const { name } = table
  /** Drops a write to a table that is deleted in the meantime. */
  const add = (apply: (copied: StoredTable) => Promise<unknown>): void =>
    queue.add(async (copy) => {
      const copied = await copy.findTable(account, name)
      if (copied !== undefined) await apply(copied)
    })
  return {
    name,
    get: (key) => table.get(key),
    scan: (range, visit) => table.scan(range, visit),
    async change(keys, decide) {
      const next = await table.change(keys, decide)
      add((copied) => copied.change(keys, () => next))
      return next
    },
    policies: () => table.policies(),
    async setPolicies(policies) {
      await table.setPolicies(policies)
      add((copied) => copied.setPolicies(policies))
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
  readonly apply: Apply
}

/** Repeats a write in the copy. */
type Apply = (copy: TableStore) => Promise<unknown>

/** The fewest pending writes that count as many. */
const MANY = 1000

/** The pending writes of the secondary, in the order in which they were made and will arrive. */
export class ReplicationQueue {
  readonly #now: () => number
  readonly #lag: number
  readonly #pending: Pending[] = []
  #many = MANY

  /**
   * @param now - milliseconds since 1970, UTC
   * @param lag - milliseconds
   */
  constructor(now: () => number, lag: number) {
    this.#now = now
    this.#lag = lag
  }

  /** Queues a write. */
  add(apply: Apply): void {
    this.#pending.push({ time: this.#now(), apply })
  }

  /** Whether there are twice as many writes as {@link takeDue} left behind. */
  get isLong(): boolean {
    return this.#pending.length >= this.#many
  }

  /** Removes and returns the writes that are due, in order. */
  takeDue(): readonly Apply[] {
    const missing = this.#firstMissing
    const due = this.#pending.splice(0, missing < 0 ? this.#pending.length : missing)
    this.#many = Math.max(MANY, 2 * this.#pending.length)
    return due.map(({ apply }) => apply)
  }

  /** Returns the time before which no write is pending. */
  lastSyncTime(): number {
    return this.#pending[this.#firstMissing]?.time ?? this.#now()
  }

  /** Drops all pending writes. */
  clear(): void {
    this.#pending.length = 0
  }

  get #firstMissing(): number {
    const arrived = this.#now() - this.#lag
    return this.#pending.findIndex(({ time }) => time > arrived)
  }
}

/** Options of {@link LocalTableServiceOptions.replication}. */
export interface ReplicationOptions {
  /**
   * How long a write takes to reach the secondary: milliseconds by the service's clock. Writes
   * arrive in order, and batches arrive whole.
   *
   * @example
   * ```ts
   * const clock = manualClock()
   * const local = localTableService({ now: clock.now, replication: { lag: 60_000 } })
   * ```
   */
  readonly lag: number
}

/** The options of {@link LocalTableServiceOptions.replication}. */
export const replicationOptions: DeclaredOptions<ReplicationOptions> =
  declareOptions<ReplicationOptions>({ lag: required(milliseconds) })
