import {
  aFunction,
  anything,
  type DeclaredOptions,
  declareOptions,
  milliseconds,
  oneOf,
  required,
  rule,
  showingText,
} from '@rowkey/odata'
import type { Flavour, HttpMethod } from '@rowkey/rest'
import type { LocalAccount } from '../account/account.ts'
import type { ReplicationOptions } from '../replication/replication.ts'
import type { RequestRecord } from '../request-log/request-log.ts'

/** Options of {@link localTableService}. */
export interface LocalTableServiceOptions {
  /**
   * The accounts, at least one, each with its key.
   *
   * @defaultValue the well-known account of emulators, `devstoreaccount1`
   */
  readonly accounts?: readonly LocalAccount[] | undefined
  /**
   * The folder of a durable store. It is made when it does not exist. All acknowledged writes are
   * there when the folder is opened again, even after `kill -9`. Only one service at a time can use
   * a folder. Folders need the package `classic-level`.
   *
   * @defaultValue tables are in memory until the service closes
   */
  readonly data?: string | undefined
  /**
   * The service to imitate: Table storage, or Cosmos DB for Table. A folder belongs to one of the two,
   * because their table names have different rules.
   *
   * @defaultValue `'storage'`
   */
  readonly flavour?: Flavour | undefined
  /**
   * The service's clock: milliseconds since 1970, UTC. A part of a millisecond counts in Timestamps and
   * ETags, to 100 ns.
   *
   * @defaultValue the clock of the machine, with a part of a millisecond
   */
  readonly now?: (() => number) | undefined
  /**
   * Makes the ids of requests and of multipart boundaries. Each must be unique.
   *
   * @defaultValue random UUIDs
   */
  readonly newId?: (() => string) | undefined
  /**
   * Decides whether to accept a bearer token.
   *
   * @defaultValue every token gets a 401 with the challenge
   */
  readonly bearer?: BearerCheck | undefined
  /**
   * How far the secondary, `{account}-secondary`, is behind the primary. The copy is in memory,
   * even when the primary has a folder.
   *
   * @defaultValue both locations always have the same data
   */
  readonly replication?: ReplicationOptions | undefined
  /**
   * Returns random numbers from 0 to below 1, for faults with a `probability`.
   *
   * @defaultValue `Math.random`
   */
  readonly random?: (() => number) | undefined
  /**
   * Waits for responses that a fault delays.
   *
   * @defaultValue the clock of the machine
   */
  readonly pause?: Pause | undefined
  /**
   * How many of the newest requests {@link LocalTableService.requests} keeps.
   *
   * @defaultValue 1,000
   */
  readonly requestLogSize?: number | undefined
  /**
   * Receives each request when its response is known, also those that the log no longer keeps. What it throws, or
   * rejects with, goes to `onInternalError`. Responses do not wait for it.
   *
   * @example
   * ```ts
   * const local = localTableService({ onRequest: ({ method, path, status }) => console.log(method, path, status) })
   * ```
   */
  readonly onRequest?: ((record: RequestRecord) => void) | undefined
  /**
   * How tables are deleted.
   *
   * @defaultValue at once: the name is free when the delete responds
   */
  readonly tableDeletion?: TableDeletionOptions | undefined
  /**
   * Receives the error each time the service responds with 500 InternalError.
   *
   * @defaultValue emits a process warning; the same error of the store in a row, such as a full
   * disk, once
   */
  readonly onInternalError?: ((error: unknown) => void) | undefined
}

/**
 * Waits. Ends early when the signal aborts, without an error: the caller looks at the signal.
 *
 * @param delay - milliseconds
 * @param signal - ends the wait
 */
export type Pause = (delay: number, signal?: AbortSignal) => Promise<void>

/** Options of {@link LocalTableServiceOptions.tableDeletion}. */
export interface TableDeletionOptions {
  /**
   * How long the name of a deleted table stays reserved: milliseconds by the service's clock, 0 or
   * more. Until then, requests to create the table or to use its rows get 409 TableBeingDeleted.
   * Azure takes at least 40 seconds.
   *
   * @example
   * ```ts
   * let now = Date.now()
   * const local = localTableService({ now: () => now, tableDeletion: { keepNameFor: 40_000 } })
   * ```
   */
  readonly keepNameFor: number
}

const folder = showingText(
  rule(
    'the path of a folder',
    (data) => typeof data === 'string' && data !== '' && !data.includes('\0'),
  ),
)

/** The options of {@link localTableService}. {@link readAccountKeys} checks the accounts. */
export const localOptions: DeclaredOptions<LocalTableServiceOptions> =
  declareOptions<LocalTableServiceOptions>({
    accounts: anything,
    data: folder,
    flavour: oneOf('storage', 'cosmos'),
    now: aFunction,
    newId: aFunction,
    bearer: aFunction,
    replication: anything,
    random: aFunction,
    pause: aFunction,
    requestLogSize: rule(
      'a whole number, 0 or more',
      (size) => Number.isSafeInteger(size) && Number(size) >= 0,
    ),
    tableDeletion: anything,
    onInternalError: aFunction,
    onRequest: aFunction,
  })

/** The options of {@link LocalTableServiceOptions.tableDeletion}. */
export const deletionOptions: DeclaredOptions<TableDeletionOptions> =
  declareOptions<TableDeletionOptions>({ keepNameFor: required(milliseconds) })

/** The facts about a request that a {@link BearerCheck} uses besides the token. */
export interface BearerRequest {
  /** The account of the request. */
  readonly account: string
  /** The verb as it was sent. */
  readonly method: HttpMethod
  /** The percent-encoded path as it was sent, without the query. */
  readonly path: string
  /** Whether the request came to the read-only secondary. */
  readonly isSecondary: boolean
}

/**
 * Decides whether to accept a bearer token. The service itself knows no issuer of tokens.
 *
 * A request with an accepted token may do what a Storage Table Data Contributor may: everything but
 * access policies, which need the account's key. When the check throws, the response is a 500 and
 * `onInternalError` receives the error.
 *
 * @param token - the text after `Bearer ` in the Authorization header
 * @param request - the request, for a check that separates readers from writers
 */
export type BearerCheck = (token: string, request: BearerRequest) => boolean | Promise<boolean>
