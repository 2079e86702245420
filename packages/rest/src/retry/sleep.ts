import { LONGEST_DELAY } from '../check-whole-number.ts'

/**
 * Waits. Ends early when the signal aborts, without an error: whoever waits looks at the signal.
 *
 * @param delay - milliseconds
 * @param signal - ends the wait
 */
export type Sleep = (delay: number, signal?: AbortSignal) => Promise<void>

/** Waits on the clock of the machine. */
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
