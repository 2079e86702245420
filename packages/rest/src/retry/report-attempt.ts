import type { CallWatch } from '../observe/call-watch.ts'
import { tell } from '../observe/tell.ts'
import { urlOf } from '../observe/url-of.ts'
import type { AttemptedCall, AttemptOutcome, AttemptSettings } from './attempted-call.ts'

/**
 * Tells whoever watches how one attempt ended: the call's context, the service's `onAttempt`,
 * and those who listen to events.
 *
 * @param settings - the service's part
 * @param call - the call's part
 * @param outcome - how the attempt ended
 * @param startedAt - when it began
 * @param watch - those who listen to events
 */
export function reportAttempt(
  settings: AttemptSettings,
  call: AttemptedCall,
  outcome: AttemptOutcome,
  startedAt: number,
  watch: CallWatch | undefined,
): void {
  const context = call.options.context ?? settings.context
  if (context === undefined && settings.onAttempt === undefined && watch === undefined) return
  const { method, headers } = call.request
  const { response, error } = outcome
  const result = Object.freeze({
    operation: call.operation.name,
    method,
    url: urlOf(call.request),
    clientRequestId: headers['x-ms-client-request-id'] ?? '',
    status: response?.status,
    requestId: response?.headers['x-ms-request-id'],
    etag: response?.headers.etag,
    startedAt,
    endedAt: settings.now(),
    error,
  })
  context?.attempts.push(result)
  if (settings.onAttempt !== undefined) tell(settings.onAttempt, result)
  watch?.received(result)
}
