import { partNotLoaded } from '../errors/part-not-loaded.ts'
import { CommonDeadline } from '../retry/call-options.ts'
import type { PerformOther } from '../retry/types.ts'
import { checkSweepOptions, type SweepOptions } from './sweep-options.ts'

/**
 * Deletes the old markers of exact writes in a table. Loads the code that reads and deletes them when it is
 * first used.
 *
 * @param perform - performs an operation on the account of the table
 * @param table - the table's name
 * @param options - also `olderThan`; all requests share the deadline
 * @returns how many markers were deleted
 * @throws `InputError` (`InvalidOptionValue`) for an age below 10 minutes
 *
 * @example
 * ```ts
 * await sweepMarkers((...call) => perform(service, ...call), 'people')
 * ```
 */
export async function sweepMarkers(
  perform: PerformOther,
  table: string,
  options: SweepOptions = {},
): Promise<number> {
  checkSweepOptions(options, `sweepMarkers of table ${table}`)
  const { deleteOldMarkers } = await import('./sweep-markers.ts').catch(partNotLoaded)
  const deadline = new CommonDeadline(options.deadline)
  return deleteOldMarkers(perform, table, { ...options, deadline })
}
