import type { CallOptions } from '@rowkey/rest'
import { namesWithCall } from '../call-options.ts'

/** The options of merge, replace and delete in a batch or an operation. */
export interface ChangeOptions {
  /**
   * Write only when the stored entity has this ETag; `'*'` writes whatever is stored now.
   *
   * @defaultValue the ETag that the entity carries from its last read or write
   */
  readonly etag?: string | undefined
}

/** The options of merge, replace and delete. */
export interface WriteOptions extends CallOptions, ChangeOptions {}

/** The names of {@link WriteOptions}. */
export const WRITE_OPTION_NAMES: readonly string[] = namesWithCall<WriteOptions>({ etag: true })

/** The options of insert. */
export interface InsertOptions extends CallOptions {
  /**
   * Whether the service returns the entity as it stored it; the call then resolves to a new object.
   *
   * @defaultValue `false`
   */
  readonly echo?: boolean | undefined
}

/** The names of {@link InsertOptions}. */
export const INSERT_OPTION_NAMES: readonly string[] = namesWithCall<InsertOptions>({ echo: true })
