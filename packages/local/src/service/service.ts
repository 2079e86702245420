import type { AccountKeys } from '../account/account.ts'
import type { FaultRules } from '../faults/fault-rules.ts'
import type { Replication } from '../replication/replication.ts'
import type { RequestLog } from '../request-log/request-log.ts'
import type { TableStore } from '../store/table-store.ts'
import type { BearerCheck } from './local-options.ts'
import type { Clock } from './service-clock.ts'
import type { TableDeletions } from './table-deletions.ts'

/** What every request of one service shares. */
export interface Service {
  /** The accounts that it has, with their keys. */
  readonly accounts: AccountKeys
  /** The rows of the primary. */
  readonly store: TableStore
  /** What the secondary shows, and when; without it, the same as the primary. */
  readonly replication: Replication | undefined
  /** What dates are compared with, and what stamps writes. */
  readonly clock: Clock
  /** The tables that were deleted a moment ago, whose names are not free yet. */
  readonly deletions: TableDeletions
  /** What is to go wrong on purpose. */
  readonly faults: FaultRules
  /** The requests that came last. */
  readonly requests: RequestLog
  /** How many rows a query may look at before its page ends. */
  readonly rowsToRead: number
  /** Whether a bearer token lets a request in; without it, none does. */
  readonly checkBearer: BearerCheck | undefined
  /** Makes the ids of requests and of multipart boundaries; each must be new. */
  newId(): string
  /** Told of every error that is a mistake of the service itself. */
  report(error: unknown): void
}

/** The service as one of an account's locations shows it: the secondary may be behind. */
export async function placeOf(service: Service, isSecondary: boolean): Promise<Service> {
  const { replication } = service
  if (replication === undefined) return service
  const store = isSecondary ? await replication.secondary() : await replication.primary()
  return { ...service, store }
}
