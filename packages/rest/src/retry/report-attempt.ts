import { requestIdOf } from '../answer/request-id-of.ts'
import { tell } from '../observe/tell.ts'
import { urlOf } from '../observe/url-of.ts'
import type { AttemptResult } from './attempt-result.ts'
import { attemptVerdict } from './attempt-verdict.ts'
import type { AttemptOutcome, BegunAttempt } from './begun-attempt.ts'

/** One attempt that has ended, and those who listen to events. */
export interface AttemptReport extends BegunAttempt {
  /** How it ended. */
  readonly outcome: AttemptOutcome<unknown>
}

/**
 * Tells whoever watches how one attempt ended: the call's context, the service's `onAttempt`,
 * and those who listen to events.
 *
 * @param report - the attempt, and those who listen
 */
export function reportAttempt(report: AttemptReport): void {
  const { settings, call, outcome, watch } = report
  // What a credential refuses or cannot prove is not sent, and so is no attempt for those who count.
  if (outcome.sent === undefined) return
  const context = call.options.context ?? settings.context
  if (context === undefined && settings.onAttempt === undefined && watch === undefined) return
  const result = resultOf(report)
  context?.attempts.push(result)
  if (settings.onAttempt !== undefined) tell(settings.onAttempt, result)
  watch?.received(result)
}

function resultOf({ settings, call, plan, outcome }: AttemptReport): AttemptResult {
  const { request, location, startedAt } = plan
  const { response, error } = outcome
  return Object.freeze({
    operation: call.operation.name,
    method: request.method,
    url: urlOf(request),
    location,
    clientRequestId: request.headers['x-ms-client-request-id'] ?? '',
    status: response?.status,
    requestId: response && requestIdOf(response),
    etag: response?.headers.etag,
    startedAt,
    endedAt: settings.now(),
    verdict: attemptVerdict(outcome),
    error,
  })
}
