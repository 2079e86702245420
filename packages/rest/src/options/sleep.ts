import { LONGEST_DELAY } from './check-options.ts'

/**
 * Waits. Ends early and without an error when the signal aborts; the caller checks the signal.
 *
 * @param delay - milliseconds
 * @param signal - ends the wait
 */
export type Sleep = (delay: number, signal?: AbortSignal) => Promise<void>

/** Waits by this machine's clock. */
export const sleep: Sleep = (delay, signal) =>
  new Promise((resolve) => {
    const wake = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', wake)
      resolve()
    }
    const timer = setTimeout(wake, Math.min(delay, LONGEST_DELAY))
    signal?.addEventListener('abort', wake)
    if (signal?.aborted) wake()
  })
