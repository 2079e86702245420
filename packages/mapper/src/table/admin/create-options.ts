import type { CallOptions } from '@rowkey/rest'
import { CALL_OPTION_NAMES } from '../option-names.ts'

/** What creating a table takes. */
export interface CreateOptions extends CallOptions {
  /**
   * How long to wait, in milliseconds, while the service still deletes a table of the same name;
   * `true` is two minutes. It asks again after 1, 2, 4 and then every 5 seconds.
   *
   * @defaultValue `false`: a ServiceError with the code `TableBeingDeleted`
   */
  readonly waitForDeletion?: boolean | number | undefined
}

/** The names of {@link CreateOptions}. */
export const CREATE_OPTION_NAMES: readonly string[] = [...CALL_OPTION_NAMES, 'waitForDeletion']
