import type { Flavour } from '@rowkey/rest'
import type { AccountKeys } from '../account/account.ts'
import type { FaultRules } from '../faults/fault-rules.ts'
import type { Replication } from '../replication/replication.ts'
import type { RequestLog } from '../request-log/request-log.ts'
import type { TableStore } from '../store/table-store.ts'
import type { BearerCheck } from './local-options.ts'
import type { Clock } from './service-clock.ts'
import type { TableDeletions } from './table-deletions.ts'

/** What all requests to one service share. */
export interface Service {
  /** The accounts with their keys. */
  readonly accounts: AccountKeys
  /** The service that this one imitates. */
  readonly flavour: Flavour
  /** The tables of the primary. */
  readonly store: TableStore
  /** The delayed copy that the secondary shows; without it, both locations are the same. */
  readonly replication: Replication | undefined
  /** Compares dates, and stamps writes. */
  readonly clock: Clock
  /** The names of recently deleted tables. */
  readonly deletions: TableDeletions
  /** The rules that inject faults. */
  readonly faults: FaultRules
  /** The latest requests. */
  readonly requests: RequestLog
  /** How many rows a query may read before its page ends. */
  readonly rowsToRead: number
  /** Decides whether to accept a bearer token; without it, none is accepted. */
  readonly checkBearer: BearerCheck | undefined
  /** Makes the ids of requests and of multipart boundaries. Each must be unique. */
  newId(): string
  /** Receives every internal error of the service. */
  report(error: unknown): void
}

/** Returns the service as one of the account's locations shows it. */
export async function placeOf(service: Service, isSecondary: boolean): Promise<Service> {
  const { replication } = service
  if (replication === undefined) return service
  const store = isSecondary ? await replication.secondary() : await replication.primary()
  return { ...service, store }
}
