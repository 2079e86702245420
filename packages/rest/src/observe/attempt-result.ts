import type { LocationName } from '../location-name.ts'

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
