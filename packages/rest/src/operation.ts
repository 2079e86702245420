import type { Endpoint } from './endpoint.ts'
import type { HttpRequest } from './http/http-request.ts'
import type { HttpResponse } from './http/http-response.ts'
import type { LocationName } from './location-name.ts'
import type { Reconciliation } from './truth/reconciliation.ts'

/** What sending an operation needs to know of it. */
export interface OperationTraits {
  /** The operation's name in the REST reference, in camel case: `insertEntity`. */
  readonly name: string
  /** The statuses of its success; any other below 300 is not from the service. */
  readonly answers?: readonly number[]
  /** Error codes that are an answer to this operation rather than a failure: 404 of `findEntity`. */
  readonly expects?: readonly string[]
  /**
   * What a 404 without more words is about.
   *
   * @defaultValue `'entity'`
   */
  readonly addresses?: 'entity' | 'table'
  /** Where alone the operation can be asked; otherwise a read may go to either location. */
  readonly location?: 'secondary'
}

/**
 * One operation of the Table service as a value: what it sends and what it makes of the answer.
 *
 * Both halves are pure functions of their arguments. Sending is {@link perform}'s business, and an
 * entity group transaction puts several of these into one request.
 */
export interface Operation<Input, Output> extends OperationTraits {
  /** The request, not yet dated or signed. Throws an InputError when the input can never be right. */
  toRequest(input: Input, endpoint: Endpoint): HttpRequest
  /**
   * The outcome, from an answer below 400 or with a code in `expects`. Where a parser is loaded first,
   * it is a promise of it.
   */
  fromResponse(response: HttpResponse, input: Input): Output
  /**
   * Where alone this input can be asked, which is where the page before came from; without it, or
   * where it says nothing, a read may go to either location.
   */
  locationOf?(input: Input): LocationName | undefined
  /**
   * How a write finds out what became of it after an answer was lost. Without it, a write is not
   * repeated then; a read needs none.
   */
  readonly reconcile?: Reconciliation<Input, Awaited<Output>>
}
