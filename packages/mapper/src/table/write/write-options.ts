import type { CallOptions } from '@rowkey/rest'

/** What merge, replace and delete take. */
export interface WriteOptions extends CallOptions {
  /**
   * Write only when the stored entity has this ETag; `'*'` writes whatever is stored now.
   *
   * @defaultValue the ETag that the entity carries from its last read or write
   */
  readonly etag?: string | undefined
}
