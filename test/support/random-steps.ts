import process from 'node:process'

/**
 * Returns how many of the steps of a random test to play: a tenth in `npm test`, all of them in `npm run check`. The
 * nightly scripts play more.
 */
export function randomSteps(all: number): number {
  return process.env.RANDOM_STEPS === 'all' ? all : Math.ceil(all / 10)
}
