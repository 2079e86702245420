/**
 * Waits. Ends early when the signal aborts, without an error: the caller looks at the signal.
 *
 * @param delay - milliseconds
 * @param signal - ends the wait
 */
export type Pause = (delay: number, signal?: AbortSignal) => Promise<void>

/** The longest that a timer can wait, in milliseconds. */
const LONGEST = 2 ** 31 - 1

/** Waits on the clock of the machine. */
export const pause: Pause = (delay, signal) =>
  new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const end = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, Math.min(delay, LONGEST))
    signal?.addEventListener('abort', end)
  })
