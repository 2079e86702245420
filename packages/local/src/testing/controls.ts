import { localInputError } from '../errors/codes.ts'
import type { Faults } from '../faults/fault-rule.ts'
import type { Requests } from '../request-log/request-log.ts'
import type { Service } from '../service/service.ts'
import { clearStore, copyStore } from '../store/copy-store.ts'
import { MemoryStore } from '../store/memory-store.ts'
import type { TableStore } from '../store/table-store.ts'

/** What a test does with an embedded service besides sending it requests. */
export interface Controls {
  /** What befalls requests, to see what a program does then. */
  readonly faults: Faults
  /** The requests that came, in process and over HTTP. */
  readonly requests: Requests
  /**
   * Keeps all tables, with their rows, policies and settings, as they are now. Rows are not copied,
   * so that it takes little memory. Take it while no request is on its way.
   */
  snapshot(): Promise<LocalSnapshot>
  /**
   * Puts all tables back as they were. Times and ETags go on: none is ever given twice. Call it while
   * no request is on its way.
   *
   * @param snapshot - what `snapshot()` of a service with the same accounts gave
   * @throws InputError for anything else
   */
  restore(snapshot: LocalSnapshot): Promise<void>
  /**
   * Begins anew: no tables, no faults, no settings, an empty request log. Call it while no request is
   * on its way.
   */
  reset(): Promise<void>
}

/** The controls of a service. */
export function controlsOf(service: Service): Controls {
  const { store, faults, requests, deletions, replication } = service
  const accounts = [...service.accounts.keys()]
  const begin = async (): Promise<void> => {
    await deletions.clear()
    await replication?.restart()
  }
  const inTurn = oneAfterAnother()
  return {
    faults,
    requests,
    snapshot: () => inTurn(() => StoreSnapshot.take(store, accounts)),
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

/** Two of them at one time would leave the tables of both, or of neither. */
function oneAfterAnother(): <Result>(act: () => Promise<Result>) => Promise<Result> {
  let last: Promise<void> = Promise.resolve()
  return (act) => {
    const turn = last.then(act)
    // Neither its failure nor what it gives, which may be a snapshot, is for the next.
    last = turn.then(
      () => {},
      () => {},
    )
    return turn
  }
}

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
