import process from 'node:process'
import { it } from 'vitest'

/** Whether all is played, as `npm run check` and CI do. */
const isAll = process.env.ALL_CASES !== undefined

/**
 * How far apart the cases are that an exhaustive test plays: `npm test` plays one in seven. A prime meets all kinds of cases in a
 * list that repeats its kinds.
 */
export const CASE_STEP = isAll ? 1 : 7

/** Returns the cases of an exhaustive test to play: all, or one in some. */
export function casesToPlay<Case>(all: readonly Case[], oneIn = CASE_STEP): readonly Case[] {
  return isAll ? all : all.filter((_, at) => at % oneIn === 0)
}

/** Declares a test that takes most of a second or more. `npm test` skips it. */
export const longTest: typeof it = it.runIf(isAll) as typeof it
