import type { HttpRequest } from '../http/http-request.ts'
import type { LocationName } from '../location-name.ts'
import type { AttemptResult } from '../retry/attempt-result.ts'
import type { CallEvent, CallListener, CallMoment } from './call-event.ts'
import { tell } from './tell.ts'
import { urlOf } from './url-of.ts'

/** What is happening in a call, without the facts that all events of the call share. */
type Happening = CallEvent extends infer Event
  ? Event extends CallEvent
    ? Omit<Event, keyof CallMoment>
    : never
  : never

/** Whom a call is told to, and what is the same in all of its events. */
export interface CallWatchOptions {
  /** The name of the operation. */
  readonly operation: string
  /** As the operation made it, for the primary. */
  readonly request: HttpRequest
  /** Told in this order; what they throw is dropped. */
  readonly listeners: readonly CallListener[]
  readonly now: () => number
}

/** Tells listeners how one call goes. */
export class CallWatch {
  readonly #options: CallWatchOptions
  #request: HttpRequest
  #location: LocationName = 'primary'
  #attempt = 0

  constructor(options: CallWatchOptions) {
    this.#options = options
    this.#request = options.request
  }

  /** A request is signed and about to go out. */
  sending(request: HttpRequest, location: LocationName): void {
    this.#attempt++
    this.#request = request
    this.#location = location
    this.#tell({ type: 'sending' })
  }

  /** An attempt has ended; without an answer there is nothing to tell yet. */
  received(result: AttemptResult): void {
    if (result.status !== undefined) this.#tell({ type: 'received', result })
  }

  /** Another attempt will follow. */
  retrying(delay: number, error: unknown): void {
    this.#tell({ type: 'retrying', delay, error })
  }

  /** The call is over. */
  completed(error?: unknown): void {
    this.#tell(error === undefined ? { type: 'completed' } : { type: 'completed', error })
  }

  #tell(happening: Happening): void {
    const { operation, listeners, now } = this.#options
    const request = this.#request
    const event = Object.freeze({
      ...happening,
      operation,
      method: request.method,
      url: urlOf(request),
      location: this.#location,
      clientRequestId: request.headers['x-ms-client-request-id'] ?? '',
      attempt: this.#attempt,
      at: now(),
    })
    for (const listener of listeners) tell(listener, event)
  }
}
