import { isRowkeyError } from '@rowkey/odata'
import type { LocationName } from '../endpoint/endpoint.ts'
import { type HttpRequest, type HttpResponse, urlOf } from '../http/transport.ts'
import { requestIdOf } from '../response/response-headers.ts'
import type {
  AttemptResult,
  AttemptVerdict,
  CallEvent,
  CallListener,
  CallLogger,
  CallMoment,
} from './call-event.ts'
import { diagnosticsListener } from './diagnostics-listener.ts'
import { errorCodeOf, isExpected } from './open-telemetry-bridge.ts'
import type { OperationContext } from './operation-context.ts'
import { tell } from './tell.ts'

/** An event without the members that all events of a call share. */
type EventFacts = CallEvent extends infer Event
  ? Event extends CallEvent
    ? Omit<Event, keyof CallMoment>
    : never
  : never

/** Who watches a call, and what is the same in all of its events. */
export interface WatchedCall {
  /** The name of the operation. */
  readonly operation: string
  /** The request, to the primary. */
  readonly request: HttpRequest
  /** Records the attempts. */
  readonly context?: OperationContext | undefined
  /** Receives each attempt that has ended. */
  readonly onAttempt?: ((result: AttemptResult) => void) | undefined
  /** Called in this order with each event; their errors are dropped. */
  readonly listeners: readonly CallListener[]
  /** Returns milliseconds since 1970, UTC. */
  readonly now: () => number
}

/** One attempt, as its watch sees it. */
interface WatchedAttempt {
  readonly request: HttpRequest
  readonly location: LocationName
  readonly startedAt: number
  readonly sent: HttpRequest | undefined
  readonly response: HttpResponse | undefined
  readonly error: unknown
}

/** Tells everyone who watches a call what happens in it: its context, the account's `onAttempt`, and the event listeners. */
export class CallWatch {
  readonly #call: WatchedCall
  #request: HttpRequest
  #location: LocationName = 'primary'
  #attempt = 0

  /** @param call - who watches, and what all events share */
  constructor(call: WatchedCall) {
    this.#call = call
    this.#request = call.request
  }

  /** Reports a signed request that is about to be sent. */
  sending({ request, location }: Pick<WatchedAttempt, 'request' | 'location'>): void {
    this.#attempt++
    this.#request = request
    this.#location = location
    this.#tell({ type: 'sending' })
  }

  /**
   * Reports an attempt that has ended. One that the credential rejected was not sent, so it does not count.
   *
   * @param attempt - the attempt
   * @param verdict - what it has shown
   */
  ended(attempt: WatchedAttempt, verdict: AttemptVerdict): void {
    const { request, location, startedAt, sent, response, error } = attempt
    const { operation, context, onAttempt, now } = this.#call
    if (sent === undefined) return
    this.#request = request
    this.#location = location
    const result: AttemptResult = Object.freeze({
      operation,
      method: request.method,
      url: urlOf(request),
      location,
      clientRequestId: request.headers['x-ms-client-request-id'] ?? '',
      status: response?.status,
      requestId: response && requestIdOf(response),
      etag: response?.headers.etag,
      startedAt,
      endedAt: now(),
      verdict,
      error,
    })
    context?.attempts.push(result)
    if (onAttempt !== undefined) tell(onAttempt, result)
    if (response !== undefined) this.#tell({ type: 'received', result })
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
    const { operation, listeners, now } = this.#call
    if (listeners.length === 0) return
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

/** The watchers that an account adds to those of a call. */
interface WatchingAccount {
  readonly context: OperationContext | undefined
  readonly onAttempt: ((result: AttemptResult) => void) | undefined
  readonly onEvent: CallListener | undefined
  readonly now: () => number
}

/**
 * Makes the watch of one call, for its context, its account and the diagnostics channels.
 *
 * @param operation - the name of the operation
 * @param request - its request, to the primary
 * @param account - the account
 * @param own - the context of the call
 * @returns `undefined` without a watcher, so that nothing is allocated
 */
export function watchCall(
  operation: string,
  request: HttpRequest,
  account: WatchingAccount,
  own: OperationContext | undefined,
): CallWatch | undefined {
  const { onAttempt, onEvent, now } = account
  const context = own ?? account.context
  const onChannels = diagnosticsListener()
  if ((context ?? onAttempt ?? onEvent ?? onChannels) === undefined) return undefined
  const listeners = [context?.onEvent, onEvent, onChannels].filter(isListener)
  return new CallWatch({ operation, request, context, onAttempt, listeners, now })
}

function isListener(listener: CallListener | undefined): listener is CallListener {
  return listener !== undefined
}

/**
 * Makes a listener that writes what happens to a logger. A line has the URL, which contains the keys of entities, but no
 * signature, token, SAS or account key.
 *
 * @param logger - where to write
 */
export function callLogger(logger: CallLogger): CallListener {
  return (event) => {
    const line = lineOf(event)
    if (line !== undefined) logger[levelOf(event)](`rowkey ${event.operation} ${line}`)
  }
}

function levelOf(event: CallEvent): keyof CallLogger {
  const isFailed = event.type === 'completed' && !isExpected(event.error)
  return event.type === 'retrying' || isFailed ? 'warn' : 'debug'
}

function lineOf(event: CallEvent): string | undefined {
  const { type, method, url, attempt, clientRequestId } = event
  const call = `attempt ${attempt}, id ${clientRequestId}`
  if (type === 'received') {
    const { status, startedAt, endedAt } = event.result
    return `${method} ${url}: ${status} after ${endedAt - startedAt} ms, ${call}`
  }
  if (type === 'retrying') {
    return `${method} ${url}: ${errorCodeOf(event.error)}, retries in ${Math.round(event.delay)} ms, ${call}`
  }
  if (type === 'completed' && event.error !== undefined) {
    return `${method} ${url}: ended with ${failureOf(event.error)}, ${call}`
  }
  return undefined
}

/** The message of a foreign error may contain anything, so only its name is shown. */
function failureOf(error: unknown): string {
  return isRowkeyError(error) ? `${error.code}: ${error.message}` : errorCodeOf(error)
}
