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
   * Told what went wrong inside the service, each time it answers 500 InternalError.
   *
   * @defaultValue emits it as a process warning
   */
  readonly onInternalError?: ((error: unknown) => void) | undefined
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
