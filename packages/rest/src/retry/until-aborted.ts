import { AbortError } from '../errors/abort-error.ts'

/**
 * Waits for work that knows nothing of signals, such as fetching a token, but no longer than until
 * the signal aborts. The work itself goes on.
 *
 * @param work - what is waited for; nothing of the request has been sent yet
 * @param signal - ends the wait
 * @throws {@link AbortError} when the signal aborts first
 */
export function untilAborted<Result>(
  work: Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  if (signal === undefined) return work
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      reject(new AbortError({ reason: signal.reason, mayHaveApplied: false }))
    }
    const release = (): void => signal.removeEventListener('abort', stop)
    signal.addEventListener('abort', stop)
    work.then(resolve, reject).finally(release)
    if (signal.aborted) stop()
  })
}
