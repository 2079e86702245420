import type { EntityKey } from '@rowkey/odata'
import type { SignedIdentifier } from '../access-policy/signed-identifier.ts'
import type { ServiceProperties } from '../service-properties/service-properties.ts'
import type { NextRows, StoredTable, TableStore } from '../store/table-store.ts'
import type { ReplicationQueue } from './replication-queue.ts'

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
