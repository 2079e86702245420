import { AbortError } from '../errors/abort-error.ts'
import { AttemptTimeoutError } from '../errors/attempt-timeout-error.ts'
import type { AttemptLimits } from '../http/transport.ts'

/**
 * Waits for a credential that takes its time, such as to fetch a token, but no longer than an attempt
 * may take. The credential goes on.
 *
 * @param work - what is waited for; nothing of the request has been sent yet
 * @param limits - what bounds the attempt
 * @param onLimit - is told when a limit comes first
 * @throws {@link AbortError} or {@link AttemptTimeoutError} when a limit comes first
 */
export function withinLimits<Result>(
  work: Promise<Result>,
  { signal, timeout }: AttemptLimits,
  onLimit?: () => void,
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
    const giveUp = (error: unknown): void => {
      fail(error)
      onLimit?.()
    }
    const stop = (): void =>
      giveUp(new AbortError({ reason: signal?.reason, mayHaveApplied: false }))
    const late = (): void => giveUp(timeoutError(timeout))
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
