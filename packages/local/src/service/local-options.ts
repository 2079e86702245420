import type { BearerCheck } from '../access/bearer-check.ts'
import type { ListenLimits } from '../http/listen-limits.ts'
import type { Pause } from '../http/pause.ts'
import type { ReplicationOptions } from '../replication/replicated-write.ts'
import type { LocalAccount } from './account.ts'

/** How an embedded service is to be made: see {@link localTableService}. */
export interface LocalTableServiceOptions {
  /**
   * The accounts it knows, each with its key; at least one.
   *
   * @defaultValue the well-known account of emulators, `devstoreaccount1`
   */
  readonly accounts?: readonly LocalAccount[] | undefined
  /**
   * The folder of a durable store, made when it is not there. Everything that was acknowledged is
   * there again when the folder is opened next, also after `kill -9`. One service at a time may have
   * a folder.
   *
   * @defaultValue tables are in memory, and gone when the service closes
   */
  readonly data?: string | undefined
  /**
   * The service's clock: milliseconds since 1970, UTC.
   *
   * @defaultValue `Date.now`
   */
  readonly now?: (() => number) | undefined
  /**
   * Makes the ids of requests and of multipart boundaries; each must be new.
   *
   * @defaultValue `crypto.randomUUID`
   */
  readonly newId?: (() => string) | undefined
  /**
   * Whether a bearer token lets a request in.
   *
   * @defaultValue no token does; each is answered with 401 and the challenge
   */
  readonly bearer?: BearerCheck | undefined
  /**
   * How far the secondary, `{account}-secondary`, is behind the primary. The copy that it shows is
   * in memory, whatever the store of the primary.
   *
   * @defaultValue it shows what the primary shows
   */
  readonly replication?: ReplicationOptions | undefined
  /**
   * Random numbers, from 0 to below 1, for faults with a `probability`.
   *
   * @defaultValue `Math.random`
   */
  readonly random?: (() => number) | undefined
  /**
   * Does the waiting of answers that a fault delays.
   *
   * @defaultValue the clock of the machine
   */
  readonly pause?: Pause | undefined
  /**
   * How many requests {@link LocalTableService.requests} keeps, the newest.
   *
   * @defaultValue 1,000
   */
  readonly requestLogSize?: number | undefined
  /**
   * How tables are deleted.
   *
   * @defaultValue at once: a table's name is free again when the deletion is answered
   */
  readonly tableDeletion?: TableDeletionOptions | undefined
  /**
   * Receives the error each time the service responds with 500 InternalError.
   *
   * @defaultValue emits a process warning; the same error of the store, such as a full disk, once in a row
   */
  readonly onInternalError?: ((error: unknown) => void) | undefined
}

/** How an embedded service deletes tables: see {@link LocalTableServiceOptions.tableDeletion}. */
export interface TableDeletionOptions {
  /**
   * For how long a deleted table's name cannot be used, in milliseconds by the service's clock:
   * 0 or more. Creating the table again, and asking for its rows, is answered with 409
   * TableBeingDeleted meanwhile. Azure takes 40 seconds at least.
   *
   * @example
   * ```ts
   * let now = Date.now()
   * const local = localTableService({ now: () => now, tableDeletion: { keepNameFor: 40_000 } })
   * ```
   */
  readonly keepNameFor: number
}

/** Where an embedded service is to listen: see {@link LocalTableService.listen}. */
export interface ListenOptions {
  /**
   * The TCP port; 0 takes any that is free.
   *
   * @defaultValue 10002, as emulators have it
   */
  readonly port?: number | undefined
  /**
   * The address or host name to listen on.
   *
   * @defaultValue `127.0.0.1`, which only this machine can reach
   */
  readonly host?: string | undefined
  /**
   * Host names by which clients may call it, each with every name below it. Always taken are
   * addresses, names without a dot, names below `localhost`, `internal` and `test`, which no stranger
   * can have, and those of Azure's own tables. Any other is answered with 400 InvalidHeaderValue, so
   * that no page on the web can reach the service by letting a name of its own point here.
   *
   * @defaultValue no further name on loopback; any name when `host` is an address that others reach
   *
   * @example
   * ```ts
   * await local.listen({ hosts: ['tables.example.com'] })
   * ```
   */
  readonly hosts?: readonly string[] | undefined
  /** What it bears: slow clients, many connections, large bodies. */
  readonly limits?: ListenLimits | undefined
}
