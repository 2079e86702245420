import type { BearerCheck } from '../access/bearer-check.ts'
import type { FaultRules } from '../injection/fault-rules.ts'
import type { Replication } from '../replication/replication.ts'
import type { RequestLog } from '../requests/request-log.ts'
import type { TableStore } from '../store/table-store.ts'
import type { AccountKeys } from './account.ts'
import type { Clock } from './service-clock.ts'
import type { TableDeletions } from './table-deletions.ts'

/** What every request of one service shares. */
export interface Service {
  readonly accounts: AccountKeys
  readonly store: TableStore
  /** What the secondary shows, and when; without it, the same as the primary. */
  readonly replication: Replication | undefined
  readonly clock: Clock
  readonly deletions: TableDeletions
  readonly faults: FaultRules
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
