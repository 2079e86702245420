import type { Endpoint } from './endpoint.ts'
import type { HttpRequest } from './http/http-request.ts'
import type { HttpResponse } from './http/http-response.ts'
import type { LocationName } from './location-name.ts'
import type { Reconciliation } from './truth/reconciliation.ts'

/** What the sender of an operation must know about it. */
export interface OperationTraits {
  /** The operation's name in the REST reference, in camel case: `insertEntity`. */
  readonly name: string
  /** The statuses of a success. Any other status below 300 is not from the service. */
  readonly statuses?: readonly number[]
  /** Error codes that this operation expects as an outcome: the 404 of `findEntity`. */
  readonly expects?: readonly string[]
  /**
   * What is missing when a 404 has no code of its own.
   *
   * @defaultValue `'entity'`
   */
  readonly addresses?: 'entity' | 'table'
  /** The only location that serves the operation; without it, a read may go to either location. */
  readonly location?: 'secondary'
}

/**
 * One operation of the Table service as a value: the request it makes, and how it reads the response.
 *
 * Both halves are pure functions of their arguments. {@link perform} sends the request, and an entity
 * group transaction puts several operations into one request.
 */
export interface Operation<Input, Output> extends OperationTraits {
  /** Makes the request, without date and signature. Throws an InputError for an invalid input. */
  toRequest(input: Input, endpoint: Endpoint): HttpRequest
  /**
   * Reads a response below 400, or one with a code in `expects`. Returns a promise when it loads a
   * parser first.
   */
  fromResponse(response: HttpResponse, input: Input): Output
  /**
   * Returns the only location that can serve this input: the one that the page before came from.
   * Otherwise a read may go to either location.
   */
  locationOf?(input: Input): LocationName | undefined
  /**
   * Determines whether a write was applied after its response was lost. A write without it is not
   * retried then; a read needs none.
   */
  readonly reconcile?: Reconciliation<Input, Awaited<Output>>
}
