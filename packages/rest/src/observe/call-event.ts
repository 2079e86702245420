import type { LocationName } from '../endpoint/endpoint.ts'

/** What every event of a call says. Holds no secret. */
export interface CallMoment {
  /** The operation's name, such as `insertEntity`. */
  readonly operation: string
  /** The HTTP verb. */
  readonly method: string
  /** Where the attempt is sent, without signature or SAS. */
  readonly url: string
  /** Which of the account's two locations is asked; the other one may be asked next. */
  readonly location: LocationName
  /** The id that Rowkey gave the call (`x-ms-client-request-id`): the same in all of its events. */
  readonly clientRequestId: string
  /** Which attempt it is, counted from 1; 0 when the call ended before the first. */
  readonly attempt: number
  /** When it happened: milliseconds since 1970, UTC. */
  readonly at: number
}

/** A request has been dated and signed, and is about to be sent. */
export interface SendingEvent extends CallMoment {
  /** Tells the events apart. */
  readonly type: 'sending'
}

/** A whole answer has come, whatever its status. */
export interface ReceivedEvent extends CallMoment {
  /** Tells the events apart. */
  readonly type: 'received'
  /** What came of the attempt. */
  readonly result: AttemptResult
}

/** An attempt has failed and another will follow. */
export interface RetryingEvent extends CallMoment {
  /** Tells the events apart. */
  readonly type: 'retrying'
  /** Milliseconds until the next attempt. */
  readonly delay: number
  /** What the attempt failed with. */
  readonly error: unknown
}

/** The call is over: nothing more will be sent for it. */
export interface CompletedEvent extends CallMoment {
  /** Tells the events apart. */
  readonly type: 'completed'
  /** What the call rejects with; absent when it succeeds. */
  readonly error?: unknown
}

/**
 * One moment in the life of a call. A call has one `sending` for each request, a `received` for each
 * answer, a `retrying` between two attempts, and at its end one `completed`.
 */
export type CallEvent = SendingEvent | ReceivedEvent | RetryingEvent | CompletedEvent

/** Is told of the events of calls, as they happen. What it throws is dropped. */
export type CallListener = (event: CallEvent) => void

/**
 * What is known after one attempt: the service did what was asked (`'answered'`), certainly did not
 * (`'not applied'`), or may have (`'may have applied'`).
 *
 * Certainly not: nothing was sent, or a whole response of the service says why it rejected the
 * request, a 429 and its own `ServerBusy` included. Maybe: no whole response, or one of 408, 500,
 * 502, 504, or a 503 of a machine in between. A read is never applied.
 */
export type AttemptVerdict = 'answered' | 'may have applied' | 'not applied'

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
  /** Whether the service did what was asked, as far as the attempt shows. */
  readonly verdict: AttemptVerdict
  /** The error of the attempt; absent when the operation expects the response. */
  readonly error?: unknown
}
