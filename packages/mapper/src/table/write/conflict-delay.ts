/** Longer than most writers take between their read and their write. */
const FIRST_BOUND = 50
const LONGEST_BOUND = 2_000

/**
 * How long to wait before an entity is changed once more that someone else wrote: anything up to a
 * bound that doubles with each attempt, so that writers who met do not meet again.
 *
 * @param attempt - how many attempts were made, from 1
 * @param random - chance, from 0 up to but not including 1
 * @returns milliseconds
 */
export function conflictDelay(attempt: number, random: number): number {
  return random * Math.min(FIRST_BOUND * 2 ** (attempt - 1), LONGEST_BOUND)
}
