/** The client of a request, for work that takes long. */
export interface Client {
  /** Waits for the turn of long work; without it, the work begins at once. */
  readonly turn?: (() => Promise<void>) | undefined
  /** Lets other requests run in the middle of long work; without it, the work goes on. */
  readonly rest?: (() => Promise<void>) | undefined
  /** Tells whether the client no longer waits for the response; without it, the client waits. */
  readonly isGone?: (() => boolean) | undefined
  /**
   * Reads the body, once; without it, the request has its body already. A body is read only after the request is
   * authorized.
   *
   * @throws Rejection for a body that cannot be read
   * @throws ClientGone when the client goes away
   */
  readonly body?: (() => Promise<string>) | undefined
}

/** Thrown to end work when its client is gone. It never leaves the service. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone'
}
