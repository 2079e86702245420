import { type DeclaredOptions, declareOptions, type OptionRules, oneOf } from '@rowkey/odata'
import { type BulkOptions, bulkOptions } from '../bulk/bulk-options.ts'

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

const { journal, modify, onConflict, onMissing, ...raw } = bulkOptions.rules

/** The rules of {@link RawOptions}. */
export const rawRules: OptionRules<RawOptions> = raw

export const deleteAllOptions: DeclaredOptions<DeleteAllOptions> = declareOptions<DeleteAllOptions>(
  {
    ...rawRules,
    etag: { ...oneOf('*'), text: "'*', or absent: each row has its own ETag" },
  },
)

export const copyOptions: DeclaredOptions<CopyOptions> = declareOptions<CopyOptions>({
  ...rawRules,
  mode: oneOf('insert', 'insertOrMerge', 'insertOrReplace'),
  onConflict: oneOf('fail', 'skip'),
})
