import { invalidOption } from '@rowkey/odata'
import type { Flavour } from '@rowkey/rest'
import type { Faults } from '../faults/faults.ts'
import type { Requests } from '../request-log/request-log.ts'
import type { Service } from '../service/service.ts'
import { MemoryStore } from '../store/memory-store.ts'
import type { TableStore } from '../store/table-store.ts'
import { clearStore, copyStore } from '../store/table-store.ts'

/** The controls of an embedded service for tests, besides its requests. */
export interface Controls {
  /** Injects faults into requests. */
  readonly faults: Faults
  /** The requests that arrived, in process and over HTTP. */
  readonly requests: Requests
  /**
   * Takes a snapshot of all tables with their rows, policies and properties. Rows are shared, not
   * copied, so it takes little memory. Call it while no request is pending.
   */
  snapshot(): Promise<LocalSnapshot>
  /**
   * Restores all tables from a snapshot. Times and ETags go on: none ever repeats. Call it while no
   * request is pending.
   *
   * @param snapshot - from `snapshot()` of a service with the same accounts
   * @throws InputError (`InvalidOptionValue`) for anything else
   */
  restore(snapshot: LocalSnapshot): Promise<void>
  /**
   * Resets the service: no tables, no faults, default properties, an empty request log. Call it
   * while no request is pending.
   */
  reset(): Promise<void>
}

/** Makes the controls of a service. */
export function controlsOf(service: Service): Controls {
  const { store, faults, requests, deletions, replication, flavour } = service
  const accounts = [...service.accounts.keys()]
  const begin = async (): Promise<void> => {
    await deletions.clear()
    await replication?.restart()
  }
  const inTurn = oneAfterAnother()
  return {
    faults,
    requests,
    snapshot: () => inTurn(() => StoreSnapshot.take(store, accounts, flavour)),
    async restore(snapshot) {
      const kept = checkSnapshot(snapshot, accounts)
      await inTurn(async () => {
        await kept.restore(store)
        await begin()
      })
    },
    async reset() {
      await inTurn(async () => {
        await clearStore(store, accounts)
        await begin()
      })
      faults.clear()
      requests.clear()
    },
  }
}

/** Runs calls one after another: two at once would mix the tables of both. */
function oneAfterAnother(): <Result>(act: () => Promise<Result>) => Promise<Result> {
  let last: Promise<void> = Promise.resolve()
  return (act) => {
    const turn = last.then(act)
    // The next call needs neither the result, which may be a snapshot, nor the error.
    last = turn.then(
      () => {},
      () => {},
    )
    return turn
  }
}

/** All tables of a service at one moment: see {@link LocalTableService.snapshot}. */
export interface LocalSnapshot {
  /** The accounts whose tables it contains. */
  readonly accounts: readonly string[]
}

/** The content of a store. Rows never change, so keeping them costs only their order. */
export class StoreSnapshot implements LocalSnapshot {
  readonly accounts: readonly string[]
  readonly #kept: TableStore

  private constructor(accounts: readonly string[], flavour: Flavour | undefined) {
    this.accounts = accounts
    this.#kept = new MemoryStore(flavour)
  }

  /** Copies the content of a store. */
  static async take(
    store: TableStore,
    accounts: readonly string[],
    flavour?: Flavour,
  ): Promise<StoreSnapshot> {
    const snapshot = new StoreSnapshot(accounts, flavour)
    await copyStore(store, snapshot.#kept, accounts)
    return snapshot
  }

  /** Replaces the content of a store by the snapshot. */
  async restore(store: TableStore): Promise<void> {
    await copyStore(this.#kept, store, this.accounts)
  }
}

/**
 * Rejects anything but a snapshot of these accounts.
 *
 * @throws InputError (`InvalidOptionValue`)
 */
export function checkSnapshot(given: unknown, accounts: readonly string[]): StoreSnapshot {
  const isOfThese =
    given instanceof StoreSnapshot && given.accounts.join(',') === accounts.join(',')
  if (isOfThese) return given
  throw invalidOption(
    `snapshot of restore must be the result of snapshot() of a service with the same accounts: ${accounts.join(', ')}.`,
    'snapshot',
  )
}
