import type { Faults } from '../injection/fault-rule.ts'
import type { Requests } from '../requests/request-log.ts'
import type { Service } from '../service/service.ts'
import { clearStore } from '../store/copy-store.ts'
import { checkSnapshot, type LocalSnapshot, StoreSnapshot } from './store-snapshot.ts'

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
