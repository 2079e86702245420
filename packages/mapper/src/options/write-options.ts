import { anything, type DeclaredOptions, declareOptions, trueOrFalse } from '@rowkey/odata'
import { type CallOptions, callOptions } from '@rowkey/rest'

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

export const changeOptions: DeclaredOptions<ChangeOptions> = declareOptions<ChangeOptions>({
  etag: anything,
})

export const writeOptions: DeclaredOptions<WriteOptions> = declareOptions<WriteOptions>({
  ...callOptions.rules,
  ...changeOptions.rules,
})

/** The options of insert. */
export interface InsertOptions extends CallOptions {
  /**
   * Whether the service returns the entity as it stored it; the call then resolves to a new object.
   *
   * @defaultValue `false`
   */
  readonly echo?: boolean | undefined
}

export const insertOptions: DeclaredOptions<InsertOptions> = declareOptions<InsertOptions>({
  ...callOptions.rules,
  echo: trueOrFalse,
})
