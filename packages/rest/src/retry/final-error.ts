import { resourceOf } from '../answer/resource-of.ts'
import type { Endpoint } from '../endpoint.ts'
import { AbortError } from '../errors/abort-error.ts'
import { AmbiguousWriteError, type Resolution } from '../errors/ambiguous-write-error.ts'
import { AuthenticationError } from '../errors/authentication-error.ts'
import { DeadlineError } from '../errors/deadline-error.ts'
import { SasScopeError } from '../errors/sas-scope-error.ts'
import { ServiceError } from '../errors/service-error.ts'
import { TransportError } from '../errors/transport-error.ts'
import { type ServiceClock, witnessOf } from '../truth/witness-of.ts'
import type { AttemptedCall } from './attempted-call.ts'
import type { CallProgress } from './call-progress.ts'

/**
 * What a call fails with when no attempt follows: the error of the last attempt, unless the call may
 * have been applied. Then the caller learns that, whatever the last attempt says of itself.
 *
 * @param call - the call
 * @param endpoint - the account
 * @param progress - how far the call has come
 * @param error - what the last attempt failed with
 */
export function finalError<Input, Output>(
  call: AttemptedCall<Input, Output>,
  endpoint: Endpoint,
  progress: CallProgress,
  error: unknown,
): unknown {
  const { attempts } = progress
  if (error instanceof DeadlineError) return error
  if (error instanceof ServiceError || error instanceof TransportError) error.attempts = attempts
  if (!progress.inDoubt) return error
  if (error instanceof AbortError) return progress.abortError(error.cause)
  const resource = resourceOf({ request: call.request, endpoint })
  const last = error instanceof Error ? ` The last one: ${error.message}` : ''
  return new AmbiguousWriteError({
    message: `Whether ${call.operation.name} of ${resource} was applied is unknown after ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}. Call resolve() to look at what is stored.${last}`,
    attempts,
    cause: error,
    resolve: () => resolveDoubt(call, progress),
  })
}

/** The signal and the deadline of the call are over, perhaps; looking again is a call of its own. */
async function resolveDoubt<Input, Output>(
  { operation, input, options, ask }: AttemptedCall<Input, Output>,
  clock: ServiceClock,
): Promise<Resolution> {
  const { timeout, retry, context } = options
  const witness = witnessOf(ask({ timeout, retry, context, locationMode: 'primaryOnly' }), clock)
  try {
    return { outcome: (await operation.reconcile?.resolve?.(input, witness)) ?? 'unknown' }
  } catch (reason) {
    if (isBarred(reason)) return { outcome: 'unknown', reason }
    throw reason
  }
}

/** Who may write and not read will not see it the next time either. */
function isBarred(error: unknown): boolean {
  return error instanceof SasScopeError || error instanceof AuthenticationError
}
