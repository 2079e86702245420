import type { EntityKey } from '@rowkey/odata'
import type { SignedIdentifier } from '../access-policy/signed-identifier.ts'
import type { ServiceProperties } from '../service-properties/service-properties.ts'
import { MemoryStore } from '../store/memory-store.ts'
import {
  copyStore,
  type NextRows,
  type StoredTable,
  type TableStore,
} from '../store/table-store.ts'
import { type ReplicationOptions, ReplicationQueue } from './replication-queue.ts'

/** Forwards everything to another store, and queues every write for the secondary. */
export class RecordingStore implements TableStore {
  readonly #store: TableStore
  readonly #queue: ReplicationQueue

  constructor(store: TableStore, queue: ReplicationQueue) {
    this.#store = store
    this.#queue = queue
  }

  async createTable(account: string, name: string): Promise<boolean> {
    const created = await this.#store.createTable(account, name)
    const table = name.toLowerCase()
    if (created) {
      this.#queue.add({ account, table, partitionKey: undefined }, (copy) =>
        copy.createTable(account, name),
      )
    }
    return created
  }

  async dropTable(account: string, name: string): Promise<boolean> {
    const dropped = await this.#store.dropTable(account, name)
    const table = name.toLowerCase()
    if (dropped) {
      this.#queue.add({ account, table, partitionKey: undefined }, (copy) =>
        copy.dropTable(account, name),
      )
    }
    return dropped
  }

  async findTable(account: string, name: string): Promise<StoredTable | undefined> {
    const table = await this.#store.findTable(account, name)
    return table === undefined ? undefined : new RecordingTable(table, this.#queue, account)
  }

  tableNames(account: string): Promise<readonly string[]> {
    return this.#store.tableNames(account)
  }

  properties(account: string): Promise<ServiceProperties> {
    return this.#store.properties(account)
  }

  async setProperties(account: string, changes: Partial<ServiceProperties>): Promise<void> {
    await this.#store.setProperties(account, changes)
    this.#queue.add({ account, table: undefined, partitionKey: undefined }, (copy) =>
      copy.setProperties(account, changes),
    )
  }

  keptNames(): Promise<ReadonlyMap<string, number>> {
    return this.#store.keptNames()
  }

  /** The secondary rejects deletions, so it needs no names. */
  setKeptNames(names: ReadonlyMap<string, number>): Promise<void> {
    return this.#store.setKeptNames(names)
  }

  close(): Promise<void> {
    return this.#store.close()
  }
}

class RecordingTable implements StoredTable {
  readonly name: string
  readonly get: StoredTable['get']
  readonly scan: StoredTable['scan']
  readonly policies: StoredTable['policies']
  readonly #table: StoredTable
  readonly #queue: ReplicationQueue
  readonly #account: string

  constructor(table: StoredTable, queue: ReplicationQueue, account: string) {
    this.name = table.name
    this.get = (key) => table.get(key)
    this.scan = (range, visit) => table.scan(range, visit)
    this.policies = () => table.policies()
    this.#table = table
    this.#queue = queue
    this.#account = account
  }

  async change(
    keys: readonly EntityKey[],
    decide: (rows: NextRows) => NextRows,
  ): Promise<NextRows> {
    const next = await this.#table.change(keys, decide)
    this.#record(keys[0]?.partitionKey, (table) => table.change(keys, () => next))
    return next
  }

  async setPolicies(policies: readonly SignedIdentifier[]): Promise<void> {
    await this.#table.setPolicies(policies)
    this.#record(undefined, (table) => table.setPolicies(policies))
  }

  /** Drops a write to a table that is deleted in the meantime. */
  #record(partitionKey: string | undefined, apply: (table: StoredTable) => Promise<unknown>): void {
    const { name } = this
    const account = this.#account
    this.#queue.add({ account, table: name.toLowerCase(), partitionKey }, async (copy) => {
      const table = await copy.findTable(account, name)
      if (table !== undefined) await apply(table)
    })
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
    this.#primary = new RecordingStore(ground.store, this.#queue)
  }

  /** Returns the store of the primary, whose writes are replicated. */
  async primary(): Promise<TableStore> {
    await this.#begin()
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
