import { AbortError } from '../errors/abort-error.ts'
import { AmbiguousWriteError } from '../errors/ambiguous-write-error.ts'
import { DeadlineError } from '../errors/deadline-error.ts'
import { partNotLoaded } from '../errors/part-not-loaded.ts'
import { ServiceError } from '../errors/service-error.ts'
import { TransportError } from '../errors/transport-error.ts'
import type { HttpRequest } from '../http/transport.ts'
import { type Settlement, UNDECIDED, type Witness } from '../request/operation.ts'
import { resourceOf } from '../request/resource.ts'
import { withinLimits } from '../sign/within-limits.ts'
import { attempts, type CallProgress } from './call-progress.ts'
import type { AttemptOutcome, Call } from './types.ts'
import { isTransient, verdictOf } from './verdict.ts'

/**
 * Determines the outcome of a rejected attempt after the response to an earlier one was lost.
 *
 * @param call - the call
 * @param progress - its state, with this attempt
 * @param outcome - how this attempt ended
 * @throws `AbortError` or {@link DeadlineError} when the call ends first
 */
export async function settleDoubt<Input, Output>(
  call: Call<Input, Output>,
  progress: CallProgress,
  outcome: AttemptOutcome<Output>,
): Promise<Settlement<Awaited<Output>>> {
  const { reconcile } = call.operation
  const { error } = outcome
  if (!progress.inDoubt || reconcile?.settle === undefined) return UNDECIDED
  if (!(error instanceof ServiceError) || !isRejection(outcome)) return UNDECIDED
  const { settle } = reconcile
  return settled(call, progress, error, (witness) => settle(error, call.input, witness))
}

/**
 * Ends a call that makes no further attempt: the operation may still settle an attempt in doubt.
 *
 * @param call - the call
 * @param request - its request, to the primary
 * @param progress - its state
 * @param error - the error of the last attempt
 * @returns the output of a write that was applied
 * @throws the error of the call, from {@link finalError} when nothing was settled
 */
export async function concludeCall<Input, Output>(
  call: Call<Input, Output>,
  request: HttpRequest,
  progress: CallProgress,
  error: unknown,
): Promise<Awaited<Output>> {
  const conclude = call.operation.reconcile?.conclude
  if (progress.inDoubt && conclude !== undefined && !(error instanceof AbortError)) {
    const settlement = await settled(call, progress, error, (witness) =>
      conclude(error, call.input, witness),
    )
    if (settlement.outcome === 'applied') return settlement.output
    if (settlement.outcome === 'rejected') throw withAttempts(settlement.error, progress)
  }
  throw finalError(call, request, progress, error)
}

/**
 * Settles within the time and by the signal of the call. Few calls are ever in doubt, so the witness is loaded;
 * where that fails, nothing is decided.
 */
async function settled<Input, Output>(
  call: Call<Input, Output>,
  progress: CallProgress,
  error: unknown,
  settle: (witness: Witness) => Settlement<Awaited<Output>> | Promise<Settlement<Awaited<Output>>>,
): Promise<Settlement<Awaited<Output>>> {
  const { signal, timeout, retry, context } = call.options
  const deadline = progress.endsAt === undefined ? undefined : { endsAt: progress.endsAt }
  const options = { signal, timeout, retry, context, deadline }
  const settlement = async () =>
    settle((await import('./witness.ts')).witnessOf(call, options, progress))
  try {
    return await withinLimits(settlement(), { signal })
  } catch (failure) {
    // The read knows nothing of the write that it was made for.
    if (failure instanceof AbortError) throw progress.abortError(failure.cause)
    if (failure instanceof DeadlineError) throw progress.deadlineError(error)
    return UNDECIDED
  }
}

function withAttempts(
  error: ServiceError | TransportError,
  { attempts }: CallProgress,
): ServiceError | TransportError {
  error.attempts = attempts
  return error
}

function isRejection(outcome: AttemptOutcome<unknown>): boolean {
  return verdictOf(outcome) === 'not applied' && !isTransient(outcome)
}

/**
 * Returns the error of a call that makes no further attempt: the error of the last attempt, unless an
 * earlier one may have been applied. Then the caller learns that, whatever the last attempt says.
 *
 * @param call - the call
 * @param request - its request, to the primary
 * @param progress - its state
 * @param error - the error of the last attempt
 */
export function finalError<Input, Output>(
  call: Call<Input, Output>,
  request: HttpRequest,
  progress: CallProgress,
  error: unknown,
): unknown {
  if (error instanceof DeadlineError) return error
  if (error instanceof ServiceError || error instanceof TransportError) {
    error.attempts = progress.attempts
  }
  if (!progress.inDoubt) return error
  if (error instanceof AbortError) return progress.abortError(error.cause)
  const resource = resourceOf({ request, endpoint: call.service.endpoint })
  const last = error instanceof Error ? ` The last error: ${error.message}` : ''
  return new AmbiguousWriteError({
    message: `It is unknown whether ${call.operation.name} of ${resource} was applied, after ${attempts(progress.attempts)}. Call resolve() to check what is stored.${last}`,
    attempts: progress.attempts,
    cause: error,
    resolve: async () =>
      (await import('./witness.ts').catch(partNotLoaded)).resolveDoubt(call, progress),
  })
}
