import type { LocationName } from '../endpoint/endpoint.ts'

/** The members of every event of a call. They contain no secret. */
export interface CallMoment {
  /** The operation's name, such as `insertEntity`. */
  readonly operation: string
  /** The HTTP verb. */
  readonly method: string
  /** The URL, without signature or SAS. */
  readonly url: string
  /** The account's location that the request goes to; the next attempt may go to the other. */
  readonly location: LocationName
  /** The id that Rowkey gave the call (`x-ms-client-request-id`): the same in all of its events. */
  readonly clientRequestId: string
  /** Which attempt it is, counted from 1; 0 when the call ended before the first. */
  readonly attempt: number
  /** When the event happened: milliseconds since 1970, UTC. */
  readonly at: number
}

/** A request is signed and about to be sent. */
export interface SendingEvent extends CallMoment {
  /** The kind of event. */
  readonly type: 'sending'
}

/** A whole response has arrived, whatever its status. */
export interface ReceivedEvent extends CallMoment {
  /** The kind of event. */
  readonly type: 'received'
  /** The attempt and its response. */
  readonly result: AttemptResult
}

/** An attempt has failed, and another follows. */
export interface RetryingEvent extends CallMoment {
  /** The kind of event. */
  readonly type: 'retrying'
  /** Milliseconds until the next attempt. */
  readonly delay: number
  /** The error of the attempt. */
  readonly error: unknown
}

/** The call has ended: it sends nothing more. */
export interface CompletedEvent extends CallMoment {
  /** The kind of event. */
  readonly type: 'completed'
  /** The error of the call; absent when it succeeds. */
  readonly error?: unknown
}

/**
 * An event of a call. A call has one `sending` for each request, a `received` for each response, a
 * `retrying` between two attempts, and one `completed` at its end.
 */
export type CallEvent = SendingEvent | ReceivedEvent | RetryingEvent | CompletedEvent

/** Receives the events of calls as they happen. Its errors are dropped. */
export type CallListener = (event: CallEvent) => void

/** Receives one line of text for each response, retry and failed call; `console` is one. */
export interface CallLogger {
  /** Receives responses and expected outcomes, such as a 404. */
  debug(line: string): void
  /** Receives retries and failed calls. */
  warn(line: string): void
}

/**
 * What is known after one attempt: the service performed the operation (`'succeeded'`), certainly did not
 * (`'not applied'`), or may have (`'may have applied'`).
 *
 * Certainly not: nothing was sent, or a whole response of the service says why it rejected the
 * request, a 429 and its own `ServerBusy` included. Maybe: no whole response, a 408, or 500 and above but 501, 505
 * and the service's own 503. A read is never applied.
 */
export type AttemptVerdict = 'succeeded' | 'may have applied' | 'not applied'

/** One attempt of a call: what was sent, how it ended, and when. Contains no secret. */
export interface AttemptResult {
  /** The operation's name, such as `insertEntity`. */
  readonly operation: string
  /** The HTTP verb. */
  readonly method: string
  /** The URL, without signature or SAS. */
  readonly url: string
  /** The account's location that the request went to; a secondary may be out of date. */
  readonly location: LocationName
  /** The id that Rowkey gave the call (`x-ms-client-request-id`); the service logs it. */
  readonly clientRequestId: string
  /** The response's HTTP status; absent when no response came. */
  readonly status?: number | undefined
  /** The service's id of the request (`x-ms-request-id`). */
  readonly requestId?: string | undefined
  /** The ETag header of the response. */
  readonly etag?: string | undefined
  /** When the attempt began: milliseconds since 1970, UTC. */
  readonly startedAt: number
  /** When the attempt ended: milliseconds since 1970, UTC. */
  readonly endedAt: number
  /** Whether the service performed the operation, as far as the attempt shows. */
  readonly verdict: AttemptVerdict
  /** The error of the attempt; absent when the operation expects the response. */
  readonly error?: unknown
}
