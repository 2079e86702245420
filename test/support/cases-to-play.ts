import process from 'node:process'
import { it } from 'vitest'

/**
 * How far apart the cases are that an exhaustive test plays: `npm test` plays one in seven, a landing one in three, and `npm run check`
 * all. A prime meets all kinds of cases in a list that repeats its kinds.
 */
export const CASE_STEP = Number(process.env.ONE_CASE_IN ?? 7)

/** Returns the cases of an exhaustive test to play: all, or one in some. */
export function casesToPlay<Case>(all: readonly Case[], oneIn = CASE_STEP): readonly Case[] {
  return CASE_STEP === 1 ? all : all.filter((_, at) => at % oneIn === 0)
}

/** Declares a test that takes most of a second or more. `npm test` skips it. */
export const longTest: typeof it = it.runIf(process.env.ONE_CASE_IN !== undefined) as typeof it
