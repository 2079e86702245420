import { localInputError } from '../errors/codes.ts'

import { copyStore } from '../store/copy-store.ts'
import { MemoryStore } from '../store/memory-store.ts'
import type { TableStore } from '../store/table-store.ts'

/** All tables of a service as they were at one moment: see {@link LocalTableService.snapshot}. */
export interface LocalSnapshot {
  /** The accounts whose tables are in it. */
  readonly accounts: readonly string[]
}

/** What is kept of a store. Rows are never changed, so that keeping them costs only their order. */
export class StoreSnapshot implements LocalSnapshot {
  readonly accounts: readonly string[]
  readonly #kept: TableStore = new MemoryStore()

  private constructor(accounts: readonly string[]) {
    this.accounts = accounts
  }

  /** Keeps what a store holds. */
  static async take(store: TableStore, accounts: readonly string[]): Promise<StoreSnapshot> {
    const snapshot = new StoreSnapshot(accounts)
    await copyStore(store, snapshot.#kept, accounts)
    return snapshot
  }

  /** Makes a store hold it again, and nothing else. */
  async restore(store: TableStore): Promise<void> {
    await copyStore(this.#kept, store, this.accounts)
  }
}

/** Refuses what no snapshot of these accounts can be. */
export function checkSnapshot(given: unknown, accounts: readonly string[]): StoreSnapshot {
  const isOfThese =
    given instanceof StoreSnapshot && given.accounts.join(',') === accounts.join(',')
  if (isOfThese) return given
  throw localInputError({
    code: 'InvalidOptionValue',
    message: `restore() takes what snapshot() of a service with the same accounts gave: ${accounts.join(', ')}.`,
  })
}
