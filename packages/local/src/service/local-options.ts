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
   * How tables are deleted.
   *
   * @defaultValue at once: a table's name is free again when the deletion is answered
   */
  readonly tableDeletion?: TableDeletionOptions | undefined
  /**
   * Told what went wrong inside the service, each time it answers 500 InternalError.
   *
   * @defaultValue emits it as a process warning
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
}
