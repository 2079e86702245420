import { setTimeout } from 'node:timers/promises'

/**
 * Waits. Ends early when the signal aborts, without an error: whoever waits looks at the signal.
 *
 * @param delay - milliseconds
 * @param signal - ends the wait
 */
export type Pause = (delay: number, signal?: AbortSignal) => Promise<void>

/** The longest that a timer of Node can wait, in milliseconds. */
const LONGEST = 2 ** 31 - 1

/** Waits on the clock of the machine. */
export const pause: Pause = async (delay, signal) => {
  // It rejects for an abort alone.
  await setTimeout(Math.min(delay, LONGEST), undefined, { signal }).catch(() => {})
}
