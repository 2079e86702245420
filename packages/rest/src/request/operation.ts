import type { EntityKey } from '@rowkey/odata'
import type { Endpoint, LocationName } from '../endpoint/endpoint.ts'
import type { WriteOutcome } from '../errors/ambiguous-write-error.ts'
import type { ServiceError } from '../errors/service-error.ts'
import type { TransportError } from '../errors/transport-error.ts'
import type { HttpRequest, HttpResponse } from '../http/transport.ts'
import type { ReadResult } from './entity-read.ts'
import type { EntityWrite } from './entity-write.ts'

/** The facts about an operation that its sender needs. */
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
  /**
   * Whether the operation acts on an entity that must exist. A 404 of any other operation can only mean
   * that the table is missing, even with the code `ResourceNotFound`, which Cosmos DB uses for both.
   *
   * @defaultValue `true`
   */
  readonly needsEntity?: false
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
   *
   * @param response - the response
   * @param input - the input of the operation
   * @param strict - whether an error in `expects` counts as an error too, because an earlier attempt may be its
   * reason. Only a response that contains others needs it: that of a batch. For a write, it tells that an earlier
   * attempt is in doubt, and so may still arrive
   */
  fromResponse(response: HttpResponse, input: Input, strict?: boolean): Output
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

/**
 * Reads stored rows, always at the primary, while the outcome of a write is unknown. An exact write
 * also stores a fence.
 */
export interface Witness {
  /**
   * A moment before the write was first sent, by the service's clock: milliseconds since 1970, UTC.
   * This call did not write what was stored earlier.
   */
  readonly since: number
  /**
   * Whether `since` is just before the call. Otherwise what is stored after it may still be older than this call: no
   * response has shown the service's clock, or this machine slept or its clock was set during the call.
   */
  readonly isDated: boolean
  /** Reads an entity with all its properties; `undefined` when it does not exist. */
  entity(table: string, key: EntityKey): Promise<ReadResult | undefined>
  /** Tells whether a table exists. */
  hasTable(table: string): Promise<boolean>
  /**
   * Stores a row unless there is one with its key. `false` means that there is one, which may be this
   * row when the response to the first attempt was lost.
   */
  insert(row: EntityWrite): Promise<boolean>
}

/** An attempt was applied: the call succeeds. */
export interface AppliedSettlement<Output> {
  /** Tells the settlements apart. */
  readonly outcome: 'applied'
  /** The output of the call. */
  readonly output: Output
}

/** The rejection is final: the call fails. */
export interface RejectedSettlement {
  /** Tells the settlements apart. */
  readonly outcome: 'rejected'
  /** The error of the call. */
  readonly error: ServiceError | TransportError
}

/** The outcome cannot be determined. */
export interface UnknownSettlement {
  /** Tells the settlements apart. */
  readonly outcome: 'unknown'
}

/** The outcome of a write in doubt. */
export type Settlement<Output> = AppliedSettlement<Output> | RejectedSettlement | UnknownSettlement

/**
 * Determines whether a write was applied after its response was lost. An operation with a
 * Reconciliation, even an empty one, declares that repeating it does no harm. An operation without one
 * is a read, or is never retried after a lost response.
 *
 * The reconciliations of this package compare the content that is stored. Another strategy is another
 * `reconcile` of an operation.
 */
export interface Reconciliation<Input, Output> {
  /**
   * Determines the outcome when a retry is rejected after a lost response: the first attempt may
   * be the reason. Without it, nothing is decided.
   *
   * @param rejection - the error of the retry
   * @param input - the input of the operation
   * @param witness - reads what is stored
   */
  settle?(
    rejection: ServiceError,
    input: Input,
    witness: Witness,
  ): Settlement<Output> | Promise<Settlement<Output>>
  /**
   * Settles the outcome in place of `settle`, and also when no attempt is left and one is in doubt, whatever the
   * last error is, before the call fails with an `AmbiguousWriteError`.
   *
   * @param error - the error of the last attempt
   * @param input - the input of the operation
   * @param witness - reads what is stored
   */
  conclude?(error: unknown, input: Input, witness: Witness): Promise<Settlement<Output>>
  /**
   * Determines the outcome from the stored rows, for {@link AmbiguousWriteError.resolve}. Without it,
   * the outcome stays unknown.
   *
   * @param input - the input of the operation
   * @param witness - reads what is stored
   */
  resolve?(input: Input, witness: Witness): Promise<WriteOutcome>
}

/** The reconciliation of an operation with the same effect however often it runs. */
export const repeatable: Reconciliation<unknown, never> = Object.freeze({})

/** The settlement when nothing can be decided. */
export const UNDECIDED: Settlement<never> = Object.freeze({ outcome: 'unknown' })
