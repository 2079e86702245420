/** Milliseconds of the wait after the first failure, and of the longest. */
const FIRST_DELAY = 1_000
const LONGEST_DELAY = 600_000
/** The most characters of a reason. */
const LONGEST_REASON = 1_000

/** Returns how many milliseconds a job or a message waits that failed so often. */
export function delayAfter(failures: number): number {
  return Math.min(FIRST_DELAY * 2 ** (failures - 1), LONGEST_DELAY)
}

/** Returns why a handler failed, as text. Handlers may throw anything. */
export function reasonOf(error: unknown): string {
  const isText = error instanceof Error || typeof error === 'string'
  const text = isText ? String(error) : `The handler threw a value of type ${typeof error}.`
  return text.slice(0, LONGEST_REASON)
}
