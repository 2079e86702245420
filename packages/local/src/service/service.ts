import type { TableStore } from '../store/table-store.ts'
import type { AccountKeys } from './account.ts'
import type { ServiceClock } from './service-clock.ts'
import type { TableDeletions } from './table-deletions.ts'

/** What every request of one service shares. */
export interface Service {
  readonly accounts: AccountKeys
  readonly store: TableStore
  readonly clock: ServiceClock
  readonly deletions: TableDeletions
  /** Makes the ids of requests and of multipart boundaries; each must be new. */
  newId(): string
  /** Told of every error that is a mistake of the service itself. */
  report(error: unknown): void
}
