import { onAbort } from './on-abort.ts'

/** The longest wait of a Node timer, in milliseconds: a longer one fires at once. */
const LONGEST_DELAY = 2 ** 31 - 1

/**
 * Waits. Ends early and without an error when the signal aborts; the caller checks the signal.
 *
 * @param delay - milliseconds
 * @param signal - ends the wait
 */
export type Sleep = (delay: number, signal?: AbortSignal) => Promise<void>

/**
 * Makes a wait that also ends when its service is closed.
 *
 * @param ending - aborts when the service is closed
 * @param wait - waits; by this machine's clock when absent
 */
export function sleepUntil(ending: AbortSignal, wait: Sleep = sleep): Sleep {
  return async (delay, signal) => {
    const either = new AbortController()
    // Without a reason, an error with a stack is made for each wait.
    const end = (): void => either.abort(true)
    if (ending.aborted || signal?.aborted) return
    const releases = [onAbort(ending, end), signal && onAbort(signal, end)]
    try {
      await wait(delay, either.signal)
    } finally {
      for (const release of releases) release?.()
    }
  }
}

/** Waits by this machine's clock. */
export const sleep: Sleep = (delay, signal) =>
  new Promise((resolve) => {
    const wake = (): void => {
      clearTimeout(timer)
      release?.()
      resolve()
    }
    const release = signal && onAbort(signal, wake)
    const timer = setTimeout(wake, Math.min(delay, LONGEST_DELAY))
    if (signal?.aborted) wake()
  })
