import { copyStore } from '../store/copy-store.ts'
import { MemoryStore } from '../store/memory-store.ts'
import type { TableStore } from '../store/table-store.ts'
import { RecordingStore } from './recording-store.ts'
import { type ReplicationOptions, ReplicationQueue } from './replication-queue.ts'

/** What a {@link Replication} needs. */
export interface ReplicationParts extends ReplicationOptions {
  /** The store of the primary. */
  readonly store: TableStore
  /** The names of the accounts. */
  readonly accounts: readonly string[]
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number
}

/** Keeps a copy of a store in memory that follows with a lag: what the secondary shows. */
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
