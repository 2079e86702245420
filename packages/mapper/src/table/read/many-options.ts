import { EntityKeyError } from '@rowkey/odata'
import type { CallOptions } from '@rowkey/rest'
import { CALL_OPTION_NAMES } from '../option-names.ts'

/** What reading several entities by their keys takes. */
export interface ManyOptions extends CallOptions {
  /**
   * How many reads at most are under way at once.
   *
   * @defaultValue 8
   */
  readonly concurrency?: number | undefined
}

/** The names of {@link ManyOptions}. */
export const MANY_OPTION_NAMES: readonly string[] = [...CALL_OPTION_NAMES, 'concurrency']

/**
 * Refuses what is no list of keys.
 *
 * @param targets - what was given as one
 * @param where - the call, for the message
 * @throws EntityKeyError
 */
export function checkTargets(targets: Iterable<unknown>, where: string): void {
  // Nobody else says so of what only the compiler has looked at.
  const given: Partial<Iterable<unknown>> | null | undefined = targets
  if (typeof given?.[Symbol.iterator] === 'function') return
  throw new EntityKeyError({
    property: 'PartitionKey',
    message: `${where} takes a list of keys, such as [['Smith', 'Jeff'], ['Smith', 'Ben']].`,
  })
}
