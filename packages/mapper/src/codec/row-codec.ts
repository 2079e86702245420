import type { EntityCodec, RawEntity } from '@rowkey/odata'
import type { RowOrigin, Snapshot } from '../snapshot/snapshot.ts'

/** The origin of entities that no table has read: it equals no table's. */
export const NOWHERE: RowOrigin = Object.freeze({ account: '', table: '' })

/**
 * The codec of the entities of one model, as its tables use it.
 *
 * A codec keeps no state. What an object knows of its row is its snapshot: `read` gives it to the object, and
 * what depends on it takes it as an argument, `undefined` when nothing is known of the row.
 */
export interface RowCodec<Entity extends object> extends EntityCodec<Entity> {
  /**
   * Makes an entity of another object that the caller may pass for one. Absent where every object is taken as
   * it is.
   *
   * @throws `InputError` when it cannot be an entity
   */
  toEntity?(given: object): Entity
  /** Whether a target in the shape of `{ partitionKey, rowKey }` is a key; otherwise it is an entity. */
  isKey(target: object): boolean
  /**
   * Returns the ETag that an entity carries for a row: in its own member, or in its snapshot.
   *
   * @param snapshot - what the entity knows of the row
   */
  etagOf(entity: Entity, snapshot: Snapshot | undefined): string | undefined
  /**
   * Writes the entity as an upsert that merges sends it: without what the model does not declare, and without
   * the defaults that a projection shows for what was not read.
   *
   * @param snapshot - what the entity knows of the row
   */
  writeShown(entity: Entity, snapshot: Snapshot | undefined): string
  /**
   * Writes what a merge must send: the properties that changed since the row was known, and those in doubt.
   *
   * @param snapshot - what the entity knows of the row; without it every property is written
   * @returns `undefined` when there is nothing to send
   */
  writeChanges(entity: Entity, snapshot: Snapshot | undefined): string | undefined
  /**
   * Rejects a merge whose outcome the codec must know and does not, such as that of a signed entity.
   *
   * @param snapshot - what the entity knows of the row
   * @param etag - the ETag that the merge is conditional on; `'*'` or `undefined` when there is none
   */
  checkMerge?(entity: Entity, snapshot: Snapshot | undefined, etag: string | undefined): void
  /**
   * Returns the stored names that the caller has not touched since the object was read or written; empty for
   * an object that never was.
   */
  untouched(entity: Entity): ReadonlySet<string>
  /** Returns the stored name of the property that a stored name belongs to: of `notes_2`, it may be `notes`. */
  propertyOf(entity: Entity, name: string): string
  /** Whether the entity has no value where the snapshot has one: a merge cannot remove that. */
  lacksStored(entity: Entity, snapshot: Snapshot): boolean
  /**
   * Reads an entity from one JSON object of a response, and lets it know its row.
   *
   * @param raw - the parsed object
   * @param etag - the ETag header of a single-entity response; `odata.etag` in the object wins
   * @param origin - the table that it was read from
   */
  read(raw: RawEntity, etag?: string, origin?: RowOrigin): Entity
  /** As {@link RowCodec.read}, of a response that holds only the properties that were selected. */
  readPart(raw: RawEntity, etag?: string, origin?: RowOrigin): Entity
  /**
   * Returns a row as a reader with the keys sees it: verified, decrypted. Absent where that is the row as it
   * came.
   */
  reveal?(raw: RawEntity): RawEntity
  /**
   * Copies everything that the model stores from a fresh entity to the caller's object. Members that are
   * not stored stay as they are. The snapshot is the caller's to keep.
   */
  refresh(entity: Entity, fresh: Entity): void
  /**
   * Puts the ETag of a successful write, and its Timestamp, on the caller's object. It never throws: an
   * object that cannot be assigned to, such as a frozen one, stays as it is.
   *
   * @param etag - `undefined` when the service told none; the object then carries none
   */
  showVersion(entity: Entity, etag: string | undefined): void
}
