/** The client of a request, for work that takes long. */
export interface Client {
  /** Waits for the turn of such work; it may begin at once when absent. */
  readonly turn?: (() => Promise<void>) | undefined
  /** Tells whether nobody waits for the response any more; somebody does when absent. */
  readonly isGone?: (() => boolean) | undefined
}

/** Thrown to end work that nobody waits for. It never leaves the service. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone'
}
