import type { EntityKey, RawEntity } from '@rowkey/odata'
import { restInputError } from '../errors/codes.ts'

/** The names of the six writes of one entity. */
export type EntityWriteName =
  | 'deleteEntity'
  | 'insertEntity'
  | 'insertOrMergeEntity'
  | 'insertOrReplaceEntity'
  | 'mergeEntity'
  | 'updateEntity'

/** The input of each of the six writes of one entity. */
export interface EntityWrite {
  /** The table's name. */
  readonly table: string
  /** PartitionKey and RowKey. */
  readonly key: EntityKey
  /** The entity as JSON text, for example from an EntityCodec; empty for a delete. */
  readonly body: string
  /**
   * The condition of update, merge and delete: the ETag that the entity was read with, or `'*'` to
   * write whatever is stored. The other three writes ignore it.
   */
  readonly etag?: string | undefined
  /**
   * Whether an insert returns the entity as it was stored.
   *
   * @defaultValue `false`
   */
  readonly echo?: boolean | undefined
  /**
   * The name of the write in an idempotency key: the operation that the caller requested, when another one
   * is sent. An empty text leaves the write out, because it follows from others of its transaction, and may
   * be another one when they are repeated.
   *
   * @defaultValue the name of the operation
   */
  readonly knownAs?: string | undefined
}

/** The output of a write. */
export interface WriteResult {
  /** The ETag of the stored entity; absent after a delete. */
  readonly etag?: string | undefined
  /**
   * The HTTP status of this write, also inside a transaction; absent when the response was lost and a read
   * settled the write.
   */
  readonly status?: number | undefined
  /**
   * `false` when the response was lost and the ETag comes from reading the entity afterwards: it has
   * the content that was written, but may be a later version.
   */
  readonly etagIsOwn?: false | undefined
  /** The entity as it was stored; only after an insert with `echo`. */
  readonly raw?: RawEntity | undefined
}

/** Services ignore blanks around an ETag, so that `' *'` would match whatever is stored. */
const ETAG = /^(\*|(W\/)?"[ !#-~]*")$/

/**
 * Returns the ETag of a conditional write, as the value of `If-Match`.
 *
 * @param operation - the operation's name, for the message
 * @param write - the write
 * @throws `InputError` (`MissingETag` or `InvalidETag`)
 */
export function ifMatch(operation: string, write: EntityWrite): string {
  const { etag } = write
  if (typeof etag === 'string' && ETAG.test(etag)) return etag
  throw restInputError({
    code: etag === undefined || etag === '' ? 'MissingETag' : 'InvalidETag',
    message: `${operation} in table ${write.table} needs an ETag. Pass the ETag that the entity was read with, or '*' to write whatever is stored.`,
  })
}
