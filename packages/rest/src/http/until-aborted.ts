/**
 * Waits for work, but not once a signal has aborted: whoever works need not listen to it. Who does
 * listen ends by itself first, and knows best how far it came.
 *
 * @param work - what is waited for
 * @param signal - ends the wait
 * @param aborted - makes the error of a wait that was ended
 */
export function untilAborted<Result>(
  work: Promise<Result>,
  signal: AbortSignal,
  aborted: () => Error,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    // What has been rejected in this turn arrives before the next.
    const stop = (): void => void setTimeout(() => reject(aborted()))
    const release = (): void => signal.removeEventListener('abort', stop)
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    work.then(resolve, reject).finally(release)
  })
}
