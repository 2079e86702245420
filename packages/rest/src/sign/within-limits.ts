import { AbortError } from '../errors/abort-error.ts'
import { AttemptTimeoutError } from '../errors/attempt-timeout-error.ts'
import type { AttemptLimits } from '../http/transport.ts'

/**
 * Waits for a credential, but no longer than the attempt may take. The credential's own work is not
 * cancelled.
 *
 * @param work - the pending work of the credential; nothing has been sent yet
 * @param limits - the limits of the attempt
 * @param onLimit - is called when a limit ends the wait
 * @throws {@link AbortError} or {@link AttemptTimeoutError} when a limit ends the wait
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
    message: `The credential did not sign the request within ${timeout} ms. Nothing was sent.`,
    mayHaveApplied: false,
  })
}
