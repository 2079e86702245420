import type { AttemptedCall, AttemptOutcome, AttemptSettings } from './attempted-call.ts'

/**
 * Tells whoever watches how one attempt ended: the call's context and the service's `onAttempt`.
 *
 * @param settings - the service's part
 * @param call - the call's part
 * @param outcome - how the attempt ended
 * @param startedAt - when it began
 */
export function reportAttempt(
  settings: AttemptSettings,
  call: AttemptedCall,
  outcome: AttemptOutcome,
  startedAt: number,
): void {
  const context = call.options.context ?? settings.context
  if (context === undefined && settings.onAttempt === undefined) return
  const { method, origin, path, query, headers } = call.request
  const { response, error } = outcome
  const result = Object.freeze({
    operation: call.operation.name,
    method,
    url: query === '' ? origin + path : `${origin}${path}?${query}`,
    clientRequestId: headers['x-ms-client-request-id'] ?? '',
    status: response?.status,
    requestId: response?.headers['x-ms-request-id'],
    etag: response?.headers.etag,
    startedAt,
    endedAt: settings.now(),
    error,
  })
  context?.attempts.push(result)
  settings.onAttempt?.(result)
}
