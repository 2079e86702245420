import { checkSync, type Diagnostics } from 'recheck'

// The version in JavaScript, limited by steps and not by time, gives the same result on every machine.
process.env.RECHECK_BACKEND = 'pure'
const LIMITS = { timeout: null, attackTimeout: null, incubationTimeout: null, randomSeed: 1 }

/** Checks whether a regular expression needs linear time, whatever text it reads. */
export function checkExpression(source: string, flags: string): Diagnostics {
  return checkSync(source, flags, LIMITS)
}
