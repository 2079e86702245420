import type { EntityKey } from '@rowkey/odata'
import type { Endpoint, LocationName } from '../endpoint/endpoint.ts'
import type { WriteOutcome } from '../errors/ambiguous-write-error.ts'
import type { ServiceError } from '../errors/service-error.ts'
import type { HttpRequest, HttpResponse } from '../http/transport.ts'
import type { ReadResult } from './entity-read.ts'

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

/** Reads what is stored, always at the primary, while the outcome of a write is in doubt. */
export interface Witness {
  /**
   * A moment before the write was first sent, by the service's clock: milliseconds since 1970, UTC.
   * What was stored earlier is not the work of this call.
   */
  readonly since: number
  /**
   * Whether an answer of the service has told its clock. Without one, `since` is before everything,
   * and what is stored need not be the work of this call.
   */
  readonly isDated: boolean
  /** An entity with all its properties; `undefined` when there is none. */
  entity(table: string, key: EntityKey): Promise<ReadResult | undefined>
  /** Whether there is a table of this name. */
  hasTable(table: string): Promise<boolean>
}

/** An attempt was applied: the call succeeds. */
export interface AppliedSettlement<Output> {
  /** Tells the settlements apart. */
  readonly outcome: 'applied'
  /** What the call gives. */
  readonly output: Output
}

/** The refusal is the answer: the call fails. */
export interface RefusedSettlement {
  /** Tells the settlements apart. */
  readonly outcome: 'refused'
  /** What the call fails with. */
  readonly error: ServiceError
}

/** It cannot be decided. */
export interface UnknownSettlement {
  /** Tells the settlements apart. */
  readonly outcome: 'unknown'
}

/** What became of a write after all. */
export type Settlement<Output> = AppliedSettlement<Output> | RefusedSettlement | UnknownSettlement

/**
 * How an operation finds out what became of it after an answer was lost. An operation that has one,
 * even an empty one, declares that repeating it does no harm; one that has none is a read, or is
 * never repeated after a lost answer.
 *
 * What is here goes by the content that is stored. Another strategy is another `reconcile` of an
 * operation.
 */
export interface Reconciliation<Input, Output> {
  /**
   * Decides what it means that a repetition was refused after an answer had been lost: the first
   * attempt may be the reason. Without it, nothing is decided.
   *
   * @param refusal - the answer to the repetition
   * @param input - what the operation was given
   * @param witness - reads what is stored
   */
  settle?(
    refusal: ServiceError,
    input: Input,
    witness: Witness,
  ): Settlement<Output> | Promise<Settlement<Output>>
  /**
   * Looks at what is stored, for {@link AmbiguousWriteError.resolve}. Without it, the outcome stays
   * unknown.
   *
   * @param input - what the operation was given
   * @param witness - reads what is stored
   */
  resolve?(input: Input, witness: Witness): Promise<WriteOutcome>
}

/** For an operation that leaves the same behind however often it is done. */
export const repeatable: Reconciliation<unknown, never> = Object.freeze({})

/** Nothing can be decided. */
export const UNDECIDED: Settlement<never> = Object.freeze({ outcome: 'unknown' })
