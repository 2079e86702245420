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

/** Inserts and upserts have no condition. */
const CONDITIONAL: ReadonlySet<string> = new Set(['merge', 'replace', 'delete'])

/** The options of methods that have none. */
export const noOptions: DeclaredOptions<object> = declareOptions<object>({})

/**
 * Checks the options of a write in a batch, an operation or a writer, and returns the ETag among them.
 *
 * @param options - the caller's options; `undefined` when absent
 * @param kind - the method
 * @param where - the call, for the message
 */
export function givenEtag(
  options: ChangeOptions | undefined,
  kind: string,
  where: string,
): string | undefined {
  if (options === undefined) return undefined
  const declared = CONDITIONAL.has(kind) ? changeOptions : noOptions
  declared.check(options, where)
  return options.etag
}

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
