import { restInputError } from '../errors/codes.ts'

import type { OperationContext } from '../observe/operation-context.ts'
import { checkOptions, checkWholeNumber, type OptionNames } from '../options/check-options.ts'
import type { Deadline } from './clock.ts'
import type { LocationMode } from './locations.ts'
import type { RetryPolicy } from './retry-policies.ts'

/** The options of every call. The service's own options are the defaults. */
export interface CallOptions {
  /** Ends the call, even during a wait; the call then rejects with an `AbortError`. */
  readonly signal?: AbortSignal | undefined
  /**
   * Milliseconds for one attempt, from its start to the last byte of the response.
   *
   * @defaultValue `30_000`, as long as the service itself works on a request
   */
  readonly timeout?: number | undefined
  /**
   * Milliseconds for the whole call: all attempts, the waits between them, and the reads that
   * determine whether a write was applied. The pages of one run of a query share it, and so do calls
   * with the same `Deadline`. A wait that would pass the deadline does not begin.
   *
   * @defaultValue no limit
   */
  readonly deadline?: number | Deadline | undefined
  /**
   * Where reads go; every mode but `'primaryOnly'` needs an endpoint with a secondary. Writes always
   * go to the primary.
   *
   * @defaultValue `'primaryOnly'`
   */
  readonly locationMode?: LocationMode | undefined
  /**
   * Decides whether and when to retry.
   *
   * @defaultValue `exponentialRetry()`
   */
  readonly retry?: RetryPolicy | undefined
  /** Records every attempt of the call. */
  readonly context?: OperationContext | undefined
  /**
   * Whether a write stores a marker in its transaction, which proves whether the write was applied and
   * keeps it from being applied twice. Reads and operations on tables ignore it.
   *
   * @defaultValue `false`
   */
  readonly exactWrites?: boolean | undefined
  /**
   * Names an exact write, so that it is applied once although it is repeated by several calls or
   * processes: 1 to 100 letters, digits and `_ . : @ -`. It belongs to the keys that the write changes,
   * and holds until its marker is swept. It implies `exactWrites`.
   */
  readonly idempotencyKey?: string | undefined
}

const OPTION_NAMES: OptionNames<CallOptions> = {
  context: true,
  deadline: true,
  exactWrites: true,
  idempotencyKey: true,
  locationMode: true,
  retry: true,
  signal: true,
  timeout: true,
}

/**
 * Rejects an unknown option of a call, and an invalid value of a known one.
 *
 * @param options - the options of a call
 * @param where - the operation, for the message
 * @throws `InputError` (`UnknownOption` or `InvalidOptionValue`)
 */
export function checkCallOptions(options: CallOptions, where: string): void {
  checkOptions(options, OPTION_NAMES, where)
  checkCallValues(options, where)
}

/**
 * Rejects values that {@link CallOptions} cannot have.
 *
 * @param options - the options of a call, or of a service with the same options
 * @param where - the function or operation, for the message
 * @throws `InputError` (`InvalidOptionValue`)
 */
export function checkCallValues(options: CallOptions, where: string): void {
  const { timeout, deadline, retry, signal } = options
  checkExactness(options, where)
  if (timeout !== undefined) checkWholeNumber(timeout, 'timeout', where)
  if (deadline !== undefined) checkDeadline(deadline, where)
  if (retry !== undefined && typeof retry?.delayAfter !== 'function') {
    throw restInputError({
      code: 'InvalidOptionValue',
      message: `retry of ${where} must be a RetryPolicy, such as exponentialRetry() or noRetry.`,
    })
  }
  if (signal !== undefined && typeof signal?.addEventListener !== 'function') {
    throw restInputError({
      code: 'InvalidOptionValue',
      message: `signal of ${where} must be an AbortSignal.`,
    })
  }
}

const IDEMPOTENCY_KEY = /^[\w.:@-]{1,100}$/

function checkExactness({ exactWrites, idempotencyKey }: CallOptions, where: string): void {
  if (exactWrites !== undefined && typeof exactWrites !== 'boolean') {
    throw restInputError({
      code: 'InvalidOptionValue',
      message: `exactWrites of ${where} must be true or false.`,
    })
  }
  if (idempotencyKey === undefined) return
  if (typeof idempotencyKey === 'string' && IDEMPOTENCY_KEY.test(idempotencyKey)) return
  throw restInputError({
    code: 'InvalidOptionValue',
    message: `idempotencyKey of ${where} must be a text of 1 to 100 letters, digits and _ . : @ -`,
  })
}

/** A shared moment may be in the past; the call then reports that itself. */
function checkDeadline(deadline: unknown, where: string): void {
  const { endsAt } = Object(deadline) as Partial<Deadline>
  if (typeof endsAt !== 'number') checkWholeNumber(deadline, 'deadline', where)
}
