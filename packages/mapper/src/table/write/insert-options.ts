import type { CallOptions } from '@rowkey/rest'
import { CALL_OPTION_NAMES } from '../option-names.ts'

/** What insert takes. */
export interface InsertOptions extends CallOptions {
  /**
   * Whether the service shall answer with the entity as it was stored, which is then returned as an
   * object of its own.
   *
   * @defaultValue `false`
   */
  readonly echo?: boolean | undefined
}

/** The names of {@link InsertOptions}. */
export const INSERT_OPTION_NAMES: readonly string[] = [...CALL_OPTION_NAMES, 'echo']
