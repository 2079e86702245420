import type { InjectedFault } from '../injection/injected-fault.ts'
import type { RequestFacts } from './request-facts.ts'

/** One request that the service was sent, and how it was answered. */
export interface RequestRecord extends RequestFacts {
  /** Which one it was since the service was made or reset, from 1, in the order of arrival. */
  readonly number: number
  /** When it came: milliseconds since 1970, UTC, by the service's clock. */
  readonly time: number
  /** The percent-encoded path as it was sent. */
  readonly path: string
  /** The percent-encoded query without its `?`; a signature in it is shown as `REDACTED`. */
  readonly query: string
  /** The status; `undefined` while there is none, and when no answer was sent. */
  readonly status: number | undefined
  /** The code of a refusal, such as `EntityAlreadyExists`. */
  readonly errorCode: string | undefined
  /** The service's id of the request, as its answer says it. */
  readonly requestId: string | undefined
  /** The client's id of the request. */
  readonly clientRequestId: string | undefined
  /** The kind of the fault that was injected. */
  readonly fault: InjectedFault['kind'] | undefined
}
