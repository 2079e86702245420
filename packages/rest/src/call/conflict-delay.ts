/** Longer than most programs need between their read and their write. */
const FIRST_BOUND = 50
const LONGEST_BOUND = 2_000

/**
 * Returns how long to wait after a conflict: a random time below a bound that doubles with each attempt,
 * so that the same writers do not collide again.
 *
 * @param attempt - the number of attempts so far, from 1
 * @param random - a random number from 0 up to but not including 1
 * @returns milliseconds
 *
 * @example
 * ```ts
 * conflictDelay(1, 0.5) // 25
 * ```
 */
export function conflictDelay(attempt: number, random: number): number {
  return random * Math.min(FIRST_BOUND * 2 ** (attempt - 1), LONGEST_BOUND)
}
