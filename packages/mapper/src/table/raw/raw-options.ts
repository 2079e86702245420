import type { CallOptions, OptionNames } from '@rowkey/rest'
import type { BulkOptions } from '../../bulk/bulk-options.ts'
import { KEYLESS_OPTION_NAMES } from '../call-options.ts'

/** The options that deleting and copying rows have in common. */
export type RawOptions = Omit<BulkOptions, 'journal' | 'modify' | 'onConflict' | 'onMissing'>

/** The options of deleting all rows of a query. */
export interface DeleteAllOptions extends RawOptions {
  /**
   * `'*'` deletes rows whatever is stored. Otherwise a row that changed since it was read fails.
   *
   * @defaultValue the ETag that each row was read with
   */
  readonly etag?: '*' | undefined
}

/** The options of copying rows. */
export interface CopyOptions extends RawOptions {
  /**
   * How rows are written: `'insertOrReplace'` overwrites rows with the same key, `'insertOrMerge'` keeps
   * their other properties, `'insert'` fails for them.
   *
   * @defaultValue `'insertOrReplace'`
   */
  readonly mode?: CopyMode | undefined
  /**
   * What to do when `'insert'` finds a row: `'fail'` reports it as failed, `'skip'` leaves it.
   *
   * @defaultValue `'fail'`
   */
  readonly onConflict?: 'fail' | 'skip' | undefined
}

/** How copied rows are written. */
export type CopyMode = 'insert' | 'insertOrMerge' | 'insertOrReplace'

const RAW_NAMES: OptionNames<Omit<RawOptions, keyof CallOptions>> = {
  attempts: true,
  buffer: true,
  concurrency: true,
  onProgress: true,
  onStuck: true,
  stuckAfter: true,
  total: true,
}

/** The names of {@link RawOptions}. */
export const RAW_OPTION_NAMES: readonly string[] = [
  ...KEYLESS_OPTION_NAMES,
  ...Object.keys(RAW_NAMES),
]
