import type { EntityCodec } from '@rowkey/odata'

/** The body of a write that succeeded. */
export interface SentBody {
  /** The JSON text that was sent. */
  readonly body: string
  /** It was the whole entity: what it does not hold is not stored. Otherwise it was merged. */
  readonly whole: boolean
}

/**
 * An `EntityCodec` that is told what was sent, so that it knows what is stored now. One that
 * does not care, such as the codec of a DynamicEntity, fits too.
 */
export interface TrackingCodec<Entity> extends EntityCodec<Entity> {
  /**
   * Records on the caller's object that a write succeeded.
   *
   * @param entity - the object that was written
   * @param etag - the ETag that the write gave it
   * @param sent - the body; the object may have changed while it was under way
   */
  written(entity: Entity, etag: string | undefined, sent?: SentBody): void
}
