import process from 'node:process'

/**
 * How far apart the cases are that an exhaustive test plays: `npm test` plays one in seven, and `npm run check` and CI play all.
 * A prime meets all kinds of cases in a list that repeats its kinds.
 */
export const CASE_STEP = process.env.ALL_CASES === undefined ? 7 : 1

/** Returns the cases of an exhaustive test to play. */
export function casesToPlay<Case>(all: readonly Case[]): readonly Case[] {
  return all.filter((_, at) => at % CASE_STEP === 0)
}
