import type { EntityKey } from './entity-key.ts'

/**
 * One entity as it came over the wire: the parsed JSON object, with `<name>@odata.type` beside every
 * value whose type the JSON alone does not show (whole Doubles included: see {@link parseEntityJson}).
 */
export interface RawEntity {
  readonly [member: string]: unknown
}

/** The body of a write that succeeded. */
export interface SentBody {
  /** The JSON text that was sent. */
  readonly body: string
  /** It was the whole entity: what it does not hold is not stored. Otherwise it was merged. */
  readonly whole: boolean
  /** The ETag of the version that it was merged into; absent when it was merged into whatever was there. */
  readonly onto?: string | undefined
}

/**
 * The seam between the wire and the caller's objects: writes an entity straight to JSON text and
 * reads one straight from the parsed answer, with no property bag in between.
 *
 * A codec is made once per class or model. The one for rows that nobody declared is
 * {@link dynamicEntityCodec}.
 */
export interface EntityCodec<Entity> {
  /**
   * PartitionKey and RowKey of an entity: strings that a request can carry. Whether the service takes
   * them is found out where the request is made, or here by a codec that knows better whose they are.
   */
  keyOf(entity: Entity): EntityKey
  /** The ETag that an entity carries from the last time it was read or written. */
  etagOf(entity: Entity): string | undefined
  /** The whole entity as JSON text, as an insert, a replace or an upsert sends it. */
  write(entity: Entity): string
  /**
   * As {@link EntityCodec.write}, of what an entity shows, as an upsert sends it that merges: what else was
   * read stays as it is stored, since others may have changed it. Absent where an entity shows all.
   */
  writeShown?(entity: Entity): string
  /**
   * What a merge must send: the properties that changed since the entity was read, or all of them
   * when it was not read. `undefined` when nothing changed.
   */
  writeChanges(entity: Entity): string | undefined
  /**
   * Refuses a merge whose outcome the codec must know, and does not: of a signed entity, which can only
   * be merged into what was read. Absent where every merge is fine.
   *
   * @param entity - the entity
   * @param etag - the ETag that the merge is to go by; `undefined` when it goes by none
   */
  checkMerge?(entity: Entity, etag: string | undefined): void
  /**
   * An entity from one JSON object of an answer.
   *
   * @param raw - the parsed object
   * @param etag - the ETag header of a single-entity answer; `odata.etag` in the object wins
   */
  read(raw: RawEntity, etag?: string): Entity
  /**
   * As {@link EntityCodec.read}, of an answer that holds only the properties that were selected.
   *
   * @param raw - the parsed object
   * @param etag - the ETag header of a single-entity answer; `odata.etag` in the object wins
   */
  readPart(raw: RawEntity, etag?: string): Entity
  /**
   * A stored entity as those see it who may read it: verified, with what is encrypted in the clear.
   * Absent where that is the entity as it came.
   *
   * @param raw - the parsed object
   */
  reveal?(raw: RawEntity): RawEntity
  /** Whether only some properties of an entity were read, and it was not written whole since. */
  isPart(entity: Entity): boolean
  /**
   * Whether an entity that was read, or written whole, was merged since into a version that nobody read:
   * what it does not show may be stored otherwise by now. Absent where entities show all that is stored.
   */
  hasUnread?(entity: Entity): boolean
  /** The key that an entity was last read or written under; `undefined` when it was neither. */
  storedKeyOf(entity: Entity): EntityKey | undefined
  /**
   * Whether an entity that was read whole has no value where one is stored: a replace removes that from
   * the service, and a merge cannot.
   */
  lacksStored(entity: Entity): boolean
  /**
   * Makes the caller's object what another one of the same codec is: what is stored of it, and what is
   * known of that. What is not stored stays as it is.
   *
   * @param entity - the caller's object
   * @param fresh - one that was just read
   */
  refresh(entity: Entity, fresh: Entity): void
  /**
   * Records on the caller's object that a write succeeded. It never throws for an object that takes
   * no ETag, such as a frozen one: that is skipped, and the object stays as it is.
   *
   * @param entity - the object that was written
   * @param etag - the ETag that the write gave it; the object carries none when nobody knows it
   * @param sent - the body: the object may have changed, or be written again, while it was under way
   */
  written(entity: Entity, etag: string | undefined, sent?: SentBody): void
  /**
   * Records on the caller's object that a write of it may or may not have been applied: what is
   * stored is no longer known, and the next merge sends every property. The ETag stays as it is.
   *
   * @param entity - the object that was to be written
   * @param sent - the body that may be stored by now
   */
  forget(entity: Entity, sent?: SentBody): void
}
