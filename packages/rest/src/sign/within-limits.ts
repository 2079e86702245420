import { AbortError } from '../errors/abort-error.ts'
import { TransportError } from '../errors/transport-error.ts'
import type { AttemptLimits } from '../http/transport.ts'
import { onAbort } from '../options/on-abort.ts'

/**
 * Waits for a credential, but no longer than the attempt may take. The credential's own work is not
 * cancelled.
 *
 * @param work - the pending work of the credential; nothing has been sent yet
 * @param limits - the limits of the attempt
 * @param onLimit - is called when a limit ends the wait
 * @throws `AbortError` or {@link TransportError} (`AttemptTimeout`) when a limit ends the wait
 */
export function withinLimits<Result>(
  work: Promise<Result>,
  { signal, timeout }: AttemptLimits,
  onLimit?: () => void,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const release = (): void => {
      clearTimeout(timer)
      remove?.()
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
    const remove = signal && onAbort(signal, stop)
    if (signal?.aborted) stop()
    work.then((result) => {
      release()
      resolve(result)
    }, fail)
  })
}

function timeoutError(timeout: number | undefined): TransportError {
  return new TransportError({
    code: 'AttemptTimeout',
    message: `The credential did not sign the request within ${timeout} ms. Nothing was sent.`,
    mayHaveApplied: false,
  })
}
