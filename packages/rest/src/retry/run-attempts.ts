import { AbortError } from '../errors/abort-error.ts'
import type { CallWatch } from '../observe/call-watch.ts'
import { watchCall } from '../observe/watch-call.ts'
import type { AttemptSettings } from './attempt-settings.ts'
import { isTransient } from './attempt-verdict.ts'
import type { AttemptedCall } from './attempted-call.ts'
import { CallProgress } from './call-progress.ts'
import { type AttemptFailure, delayAfter } from './delay-after.ts'
import { finalError } from './final-error.ts'
import { makeAttempt } from './make-attempt.ts'
import { reportAttempt } from './report-attempt.ts'
import { settleDoubt } from './settle-doubt.ts'

/**
 * Makes attempts until one gives a result, or until another would be pointless, too late, or could do
 * harm.
 *
 * @param settings - the service's part
 * @param call - the call's part
 * @throws {@link AbortError}, {@link AmbiguousWriteError}, {@link DeadlineError},
 * {@link TransportError}, {@link ServiceError} or {@link DecodeError}
 */
export async function runAttempts<Input, Output>(
  settings: AttemptSettings,
  call: AttemptedCall<Input, Output>,
): Promise<Awaited<Output>> {
  const watch = watchCall(settings, call)
  try {
    const output = await resultOf(settings, call, watch)
    watch?.completed()
    return output
  } catch (error) {
    watch?.completed(error)
    throw error
  }
}

async function resultOf<Input, Output>(
  settings: AttemptSettings,
  call: AttemptedCall<Input, Output>,
  watch: CallWatch | undefined,
): Promise<Awaited<Output>> {
  const progress = new CallProgress(settings, call)
  for (;;) {
    const plan = progress.begin()
    const outcome = await makeAttempt({ settings, call, plan, watch })
    reportAttempt({ settings, call, plan, outcome, watch })
    if (outcome.error === undefined) {
      settings.retryBudget?.earn()
      settings.ownTables.note(call, outcome.output, plan.startedAt)
      // Without an error there is what the operation made of the answer.
      return outcome.output as Awaited<Output>
    }
    progress.note(outcome, plan)
    const settlement = await settleDoubt(call, progress, outcome)
    if (settlement.outcome === 'applied') return settlement.output
    if (settlement.outcome === 'refused') throw counted(settlement.error, plan.number)
    const delay = await nextDelay({ settings, call, progress, plan, outcome })
    watch?.retrying(delay, outcome.error)
    await settings.sleep(delay, call.options.signal)
  }
}

/** Until the next attempt; throws when there is none. */
async function nextDelay(failure: AttemptFailure): Promise<number> {
  const { progress, plan, outcome } = failure
  if (isTransient(outcome) && progress.isOverAfter(0)) throw progress.deadlineError(outcome.error)
  const delay = outcome.error instanceof AbortError ? undefined : await decide(failure)
  if (delay === undefined) {
    throw finalErrorOf(failure, progress.lastError(outcome, plan))
  }
  if (progress.isOverAfter(delay)) throw progress.deadlineError(outcome.error)
  return delay
}

/** A policy or a credential of the caller that throws ends the call, but settles no doubt. */
async function decide(failure: AttemptFailure): Promise<number | undefined> {
  try {
    return await delayAfter(failure)
  } catch (thrown) {
    throw finalErrorOf(failure, thrown)
  }
}

function finalErrorOf({ call, settings, progress }: AttemptFailure, error: unknown): unknown {
  return finalError(call, settings.endpoint, progress, error)
}

function counted<Counted extends { attempts: number }>(error: Counted, attempts: number): Counted {
  error.attempts = attempts
  return error
}
