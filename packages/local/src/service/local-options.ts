import type { HttpMethod } from '@rowkey/rest'
import type { LocalAccount } from '../account/account.ts'
import type { Pause } from '../platform/pause.ts'
import type { ReplicationOptions } from '../replication/replication-queue.ts'

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

/** What a {@link BearerCheck} is told of a request besides its token. */
export interface BearerRequest {
  /** The account that the request is for. */
  readonly account: string
  /** The verb as it was sent. */
  readonly method: HttpMethod
  /** The percent-encoded path as it was sent, without the query. */
  readonly path: string
  /** Whether it came to the account's read-only secondary. */
  readonly isSecondary: boolean
}

/**
 * Says whether a bearer token lets a request in. The service itself knows no issuer of tokens: what
 * a token is worth is for whoever runs the service to say.
 *
 * A request that is let in may do what a Storage Table Data Contributor may: everything but access
 * policies, which take the account's key.
 *
 * A check that throws has decided nothing: the request is answered with 500, and its error is given
 * to `onInternalError`.
 *
 * @param token - what follows `Bearer ` in the Authorization header
 * @param request - what is asked, for a check that tells readers from writers
 */
export type BearerCheck = (token: string, request: BearerRequest) => boolean | Promise<boolean>
