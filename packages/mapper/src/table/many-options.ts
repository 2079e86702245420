import type { CallOptions } from '@rowkey/rest'
import { CALL_OPTION_NAMES } from './option-names.ts'

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
