import type { LocationName } from '../location-name.ts'
import type { AttemptVerdict } from './attempt-verdict.ts'

/** One attempt of a call: what was sent, what came of it, and when. Holds no secret. */
export interface AttemptResult {
  /** The operation's name, such as `insertEntity`. */
  readonly operation: string
  /** The HTTP verb. */
  readonly method: string
  /** Where it was sent, without signature or SAS. */
  readonly url: string
  /** Which of the account's two locations was asked; what the secondary says may be out of date. */
  readonly location: LocationName
  /** The id that Rowkey gave the call (`x-ms-client-request-id`); the service logs it. */
  readonly clientRequestId: string
  /** The answer's HTTP status; absent when no answer came. */
  readonly status?: number | undefined
  /** The service's id of the request (`x-ms-request-id`). */
  readonly requestId?: string | undefined
  /** The ETag header of the answer. */
  readonly etag?: string | undefined
  /** When the attempt began: milliseconds since 1970, UTC. */
  readonly startedAt: number
  /** When the attempt ended: milliseconds since 1970, UTC. */
  readonly endedAt: number
  /** What is known after the attempt: whether the service did what was asked. */
  readonly verdict: AttemptVerdict
  /** What the attempt failed with; absent when its answer is one that the operation expects. */
  readonly error?: unknown
}
