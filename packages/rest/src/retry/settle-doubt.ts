import { AbortError } from '../errors/abort-error.ts'
import { DeadlineError } from '../errors/deadline-error.ts'
import { ServiceError } from '../errors/service-error.ts'
import { type Settlement, UNDECIDED } from '../truth/reconciliation.ts'
import { witnessOf } from '../truth/witness-of.ts'
import { attemptVerdict, isTransient } from './attempt-verdict.ts'
import type { AttemptedCall } from './attempted-call.ts'
import type { AttemptOutcome } from './begun-attempt.ts'
import type { CallProgress } from './call-progress.ts'

/**
 * Finds out what it means that an attempt was refused after the answer to an earlier one was lost.
 *
 * @param call - the call
 * @param progress - how far it has come, this attempt included
 * @param outcome - how this attempt ended
 * @throws {@link AbortError} or {@link DeadlineError} when there is no time to find out
 */
export async function settleDoubt<Input, Output>(
  call: AttemptedCall<Input, Output>,
  progress: CallProgress,
  outcome: AttemptOutcome<Output>,
): Promise<Settlement<Awaited<Output>>> {
  const { reconcile } = call.operation
  const { error } = outcome
  if (!progress.inDoubt || reconcile?.settle === undefined) return UNDECIDED
  if (!(error instanceof ServiceError) || !isRefusal(outcome)) return UNDECIDED
  const { signal, timeout, retry, context } = call.options
  const deadline = progress.endsAt === undefined ? undefined : { endsAt: progress.endsAt }
  const within = { signal, timeout, retry, context, deadline, locationMode: 'primaryOnly' } as const
  try {
    return await reconcile.settle(error, call.input, witnessOf(call.ask(within), progress))
  } catch (failure) {
    // The read-back knows nothing of the write that it was made for.
    if (failure instanceof AbortError) throw progress.abortError(failure.cause)
    if (failure instanceof DeadlineError) throw progress.deadlineError(error)
    return UNDECIDED
  }
}

function isRefusal(outcome: AttemptOutcome<unknown>): boolean {
  return attemptVerdict(outcome) === 'not applied' && !isTransient(outcome)
}
