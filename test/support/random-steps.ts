import process from 'node:process'

/**
 * Returns how many of the steps of a random test to play: a twentieth in `npm test`, a fifth in CI, and all of them in
 * `npm run check`. The nightly scripts play more.
 */
export function randomSteps(all: number): number {
  return Math.ceil(all * Number(process.env.RANDOM_STEPS ?? 0.05))
}
