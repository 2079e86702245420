import { isRowkeyError } from '@rowkey/odata'
import { checkAnswer } from '../answer/check-answer.ts'
import { AbortError } from '../errors/abort-error.ts'
import { ServiceError } from '../errors/service-error.ts'
import { TransportError } from '../errors/transport-error.ts'
import type { HttpResponse } from '../http/http-response.ts'
import type { CallWatch } from '../observe/call-watch.ts'
import { watchCall } from '../observe/watch-call.ts'
import { isRepeatable, isTransient } from './attempt-verdict.ts'
import type { AttemptedCall, AttemptOutcome, AttemptSettings } from './attempted-call.ts'
import { reportAttempt } from './report-attempt.ts'
import { readRetryAfter } from './retry-after.ts'

/**
 * Sends a request until an answer comes that the operation can use, or until trying again would be
 * pointless or could do harm.
 *
 * @param settings - the service's part
 * @param call - the call's part
 * @throws {@link AbortError}, {@link TransportError}, {@link ServiceError} or {@link DecodeError}
 */
export async function runAttempts(
  settings: AttemptSettings,
  call: AttemptedCall,
): Promise<HttpResponse> {
  const watch = watchCall(settings, call)
  try {
    const response = await answerTo(settings, call, watch)
    watch?.completed()
    return response
  } catch (error) {
    watch?.completed(error)
    throw error
  }
}

async function answerTo(
  settings: AttemptSettings,
  call: AttemptedCall,
  watch: CallWatch | undefined,
): Promise<HttpResponse> {
  const { signal } = call.options
  for (let number = 1; ; number++) {
    if (signal?.aborted) throw new AbortError({ reason: signal.reason, mayHaveApplied: false })
    const startedAt = settings.now()
    watch?.sending()
    const outcome = await attempt(settings, call)
    reportAttempt(settings, call, outcome, startedAt, watch)
    const { response, error } = outcome
    if (response !== undefined && error === undefined) return response
    const delay = delayAfter(settings, call, outcome, number)
    if (delay === undefined) throw error
    watch?.retrying(delay, error)
    await settings.sleep(delay, signal)
  }
}

async function attempt(settings: AttemptSettings, call: AttemptedCall): Promise<AttemptOutcome> {
  const { signal, timeout = settings.timeout } = call.options
  let response: HttpResponse
  try {
    response = await call.send({ signal, timeout })
  } catch (error) {
    // Not from the transport but from the credential, which is the caller's: nothing was sent.
    if (!isRowkeyError(error)) throw error
    return { response: undefined, error }
  }
  if (response.status < 300) return { response, error: undefined }
  const { request, operation } = call
  return {
    response,
    error: await checkAnswer({
      response,
      request,
      operation,
      endpoint: settings.endpoint,
      now: settings.now(),
    }),
  }
}

function delayAfter(
  settings: AttemptSettings,
  call: AttemptedCall,
  { response, error }: AttemptOutcome,
  number: number,
): number | undefined {
  if (!(error instanceof ServiceError || error instanceof TransportError)) return undefined
  error.attempts = number
  if (!isRepeatable(error)) return undefined
  const policy = call.options.retry ?? settings.retry
  return policy.delayAfter({
    number,
    status: response?.status,
    code: error.code,
    transient: isTransient(error),
    retryAfter: response && readRetryAfter(response.headers, settings.now()),
    random: settings.random,
  })
}
