import type { EntityKey, RawEntity } from '@rowkey/odata'

/** What each of the six writes of one entity needs. */
export interface EntityWrite {
  /** The table's name. */
  readonly table: string
  /** PartitionKey and RowKey. */
  readonly key: EntityKey
  /** The entity as JSON text, such as an EntityCodec writes; empty for a delete. */
  readonly body: string
  /**
   * What update, merge and delete go by: the ETag the entity was read with, or `'*'` to write
   * whatever is stored. The other three are unconditional and do not look at it.
   */
  readonly etag?: string | undefined
  /**
   * Whether an insert shall answer with the entity as it was stored.
   *
   * @defaultValue `false`
   */
  readonly echo?: boolean | undefined
}

/** What came of a write. */
export interface WriteResult {
  /** The ETag of what is stored now; absent after a delete. */
  readonly etag?: string | undefined
  /**
   * `false` when the answer was lost and the ETag comes from reading the entity afterwards: it has the
   * content that was written, but may be a later version.
   */
  readonly etagIsOwn?: false | undefined
  /** The entity as it was stored; only after an insert that asked for it. */
  readonly raw?: RawEntity | undefined
}
