import { AbortError } from '../errors/abort-error.ts'
import { AttemptTimeoutError } from '../errors/attempt-timeout-error.ts'
import type { AttemptLimits } from '../http/transport.ts'

/**
 * Waits for a credential that takes its time, such as to fetch a token, but no longer than an attempt
 * may take. The credential knows nothing of it and goes on.
 *
 * @param work - what is waited for; nothing of the request has been sent yet
 * @param limits - what bounds the attempt
 * @throws {@link AbortError} or {@link AttemptTimeoutError} when a limit comes first
 */
export function withinLimits<Result>(
  work: Promise<Result>,
  { signal, timeout }: AttemptLimits,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const release = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
    }
    const fail = (error: unknown): void => {
      release()
      reject(error)
    }
    const stop = (): void => fail(new AbortError({ reason: signal?.reason, mayHaveApplied: false }))
    const late = (): void => fail(timeoutError(timeout))
    const timer = timeout === undefined ? undefined : setTimeout(late, timeout)
    signal?.addEventListener('abort', stop)
    if (signal?.aborted) stop()
    work.then((result) => {
      release()
      resolve(result)
    }, fail)
  })
}

function timeoutError(timeout: number | undefined): AttemptTimeoutError {
  return new AttemptTimeoutError({
    message: `The credential did not authorize the request within ${timeout} ms. Nothing was sent.`,
    mayHaveApplied: false,
  })
}
