import type { LocationName } from '../endpoint/endpoint.ts'
import type { HttpRequest } from '../http/transport.ts'
import type { AttemptResult, CallEvent, CallListener, CallMoment } from './call-event.ts'
import { diagnosticsListener } from './diagnostics-listener.ts'
import type { OperationContext } from './operation-context.ts'
import { tell } from './tell.ts'

/** The part of a call that its listeners depend on. */
export interface WatchedCall {
  readonly operation: { readonly name: string }
  readonly options: { readonly context?: OperationContext | undefined }
  readonly service: {
    readonly defaults: {
      readonly context: OperationContext | undefined
      readonly onEvent: CallListener | undefined
      readonly now: () => number
    }
  }
}

/**
 * Makes the watch of one call, for the listeners of its context, of its service and of the
 * diagnostics channels.
 *
 * @param call - the call
 * @param request - its request, to the primary
 * @returns `undefined` without a listener, so that nothing is allocated
 */
export function watchCall(call: WatchedCall, request: HttpRequest): CallWatch | undefined {
  const { defaults } = call.service
  const onContext = (call.options.context ?? defaults.context)?.onEvent
  const onChannels = diagnosticsListener()
  if ((onContext ?? defaults.onEvent ?? onChannels) === undefined) return undefined
  const listeners = [onContext, defaults.onEvent, onChannels].filter(isListener)
  return new CallWatch({ operation: call.operation.name, request, listeners, now: defaults.now })
}

function isListener(listener: CallListener | undefined): listener is CallListener {
  return listener !== undefined
}

/** An event without the members that all events of a call share. */
type EventFacts = CallEvent extends infer Event
  ? Event extends CallEvent
    ? Omit<Event, keyof CallMoment>
    : never
  : never

/** The listeners of a call, and what is the same in all of its events. */
export interface CallWatchOptions {
  /** The name of the operation. */
  readonly operation: string
  /** The request, to the primary. */
  readonly request: HttpRequest
  /** Called in this order; their errors are dropped. */
  readonly listeners: readonly CallListener[]
  /** Returns milliseconds since 1970, UTC. */
  readonly now: () => number
}

/** Tells listeners what happens in one call. */
export class CallWatch {
  readonly #options: CallWatchOptions
  #request: HttpRequest
  #location: LocationName = 'primary'
  #attempt = 0

  /** @param options - the listeners, and what all events share */
  constructor(options: CallWatchOptions) {
    this.#options = options
    this.#request = options.request
  }

  /** Reports a signed request that is about to be sent. */
  sending(request: HttpRequest, location: LocationName): void {
    this.#attempt++
    this.#request = request
    this.#location = location
    this.#tell({ type: 'sending' })
  }

  /** Reports an attempt that has ended with a response. */
  received(result: AttemptResult): void {
    if (result.status !== undefined) this.#tell({ type: 'received', result })
  }

  /** Reports that another attempt follows. */
  retrying(delay: number, error: unknown): void {
    this.#tell({ type: 'retrying', delay, error })
  }

  /** Reports the end of the call. */
  completed(error?: unknown): void {
    this.#tell(error === undefined ? { type: 'completed' } : { type: 'completed', error })
  }

  #tell(facts: EventFacts): void {
    const { operation, listeners, now } = this.#options
    const request = this.#request
    const event = Object.freeze({
      ...facts,
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

/**
 * Writes where a request goes as one URL.
 *
 * @param request - a request without a signature; a signed one may contain a SAS
 */
export function urlOf({ origin, path, query }: HttpRequest): string {
  return query === '' ? origin + path : `${origin}${path}?${query}`
}
