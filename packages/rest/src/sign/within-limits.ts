import { AbortError } from '../errors/abort-error.ts'
import { TransportError } from '../errors/transport-error.ts'
import type { AttemptLimits } from '../http/transport.ts'
import { closedAccountError } from '../http/transport-errors.ts'
import { onAbort } from '../wait/on-abort.ts'

/** The limits of the wait for a credential. */
interface WaitLimits extends AttemptLimits {
  /** Aborts when the account is closed. */
  readonly closing?: AbortSignal | undefined
}

/**
 * Waits for a credential, but no longer than the attempt may take. The credential's own work is not
 * cancelled.
 *
 * @param work - the pending work of the credential; nothing has been sent yet
 * @param limits - the limits of the attempt
 * @param onLimit - is called when a limit ends the wait
 * @throws `AbortError` or {@link TransportError} (`AttemptTimeout` or `AccountClosed`) when a limit ends the wait
 */
export function withinLimits<Result>(
  work: Promise<Result>,
  { signal, timeout, closing }: WaitLimits,
  onLimit?: () => void,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const release = (): void => {
      clearTimeout(timer)
      for (const remove of removals) remove?.()
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
    const close = (): void => giveUp(closedAccountError())
    const removals = [signal && onAbort(signal, stop), closing && onAbort(closing, close)]
    if (signal?.aborted) stop()
    else if (closing?.aborted) close()
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
