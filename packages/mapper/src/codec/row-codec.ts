import type { EntityCodec, RawEntity } from '@rowkey/odata'
import type { RowOrigin, Snapshot } from '../snapshot/snapshot.ts'

/** The origin of entities that no table has read: it equals no table's. */
export const NOWHERE: RowOrigin = Object.freeze({ account: '', table: '' })

/** Checks a stored row that is about to be changed. */
export interface RowCheck {
  /** The stored names that it reads, besides the key. */
  readonly names: readonly string[]
  /** Throws when the row must not be changed. */
  check(raw: RawEntity): void
}

/** Returns the check that every row fails. A write whose ETag is stale does not come so far. */
export function neverPasses(error: Error): RowCheck {
  return {
    names: [],
    check() {
      throw error
    },
  }
}

/** The whole row of an entity in the shape of the next version. */
export interface LaterWrite {
  /** The JSON of the row. */
  readonly body: string
  /** The JSON that the entity would have in its own version. */
  readonly own: string
  /** Whether the entity changed. */
  readonly isChanged: boolean
}

/**
 * The codec of the entities of one model, as its tables use it.
 *
 * A codec has no state. The snapshot of an object holds its row as it was read: `read` attaches it to the
 * object. Other methods receive it as an argument, which is `undefined` when nothing of the row was read.
 */
export interface RowCodec<Entity extends object> extends EntityCodec<Entity> {
  /**
   * Makes an entity from another object that the caller passes as one. Absent where every object is used
   * as it is.
   *
   * @throws `InputError` when it cannot be an entity
   */
  toEntity?(given: object): Entity
  /** Whether a target in the shape of `{ partitionKey, rowKey }` is a key; otherwise it is an entity. */
  isKey(target: object): boolean
  /**
   * Returns the ETag that an entity carries for a row: in its own member, or in its snapshot.
   *
   * @param snapshot - the entity's snapshot of the row
   */
  etagOf(entity: Entity, snapshot: Snapshot | undefined): string | undefined
  /**
   * Writes the entity as an upsert that merges sends it. It leaves out undeclared properties, and the
   * defaults that a projection shows for properties that it did not read.
   *
   * @param snapshot - the entity's snapshot of the row
   */
  writeShown(entity: Entity, snapshot: Snapshot | undefined): string
  /**
   * Writes the body of a merge: the properties that changed since the row was known, and those in doubt.
   *
   * @param snapshot - the entity's snapshot of the row; without it every property is written
   * @returns `undefined` when there is nothing to send
   */
  writeChanges(entity: Entity, snapshot: Snapshot | undefined): string | undefined
  /**
   * Rejects a merge whose resulting row the codec cannot compute but needs, such as one of a signed entity.
   *
   * @param snapshot - the entity's snapshot of the row
   * @param etag - the ETag of the merge; `'*'` or `undefined` when the merge is unconditional
   * @returns the check of the stored row, when only the row tells whether it can be merged into
   */
  checkMerge?(
    entity: Entity,
    snapshot: Snapshot | undefined,
    etag: string | undefined,
  ): RowCheck | undefined
  /**
   * Returns the check of the stored row that a whole entity replaces without knowing it; absent where any row can be
   * replaced.
   */
  checkReplace?(entity: Entity): RowCheck | undefined
  /**
   * Writes an entity whose row is of the next version in the shape of that version. It writes the changes
   * of the entity, and everything that only the next version has. Absent where rows of the next version are
   * not read.
   *
   * @param snapshot - the entity's snapshot of the row
   * @throws `InputError` (`LaterVersion`) when the row cannot hold the change without losing something
   */
  writeLater?(entity: Entity, snapshot: Snapshot): LaterWrite
  /**
   * Returns the stored names that the caller has not changed since the object was read or written; empty
   * for a new object.
   */
  untouched(entity: Entity): ReadonlySet<string>
  /** Returns the stored name of the property that a stored name belongs to: of `notes_2`, it may be `notes`. */
  propertyOf(entity: Entity, name: string): string
  /** Whether the entity has no value where the snapshot has one: a merge cannot remove that. */
  lacksStored(entity: Entity, snapshot: Snapshot): boolean
  /**
   * Reads an entity from one JSON object of a response, and attaches its snapshot.
   *
   * @param raw - the parsed object
   * @param etag - the ETag header of a single-entity response; `odata.etag` in the object wins
   * @param origin - the table that it was read from
   * @param isPart - whether the response has only the selected properties
   */
  read(raw: RawEntity, etag?: string, origin?: RowOrigin, isPart?: boolean): Entity
  /**
   * Returns a row as a reader with the keys sees it: verified and decrypted. Absent where rows need
   * neither.
   */
  reveal?(raw: RawEntity): RawEntity
  /**
   * Copies everything that the model stores from a fresh entity to the caller's object. Members that are
   * not stored stay as they are. It does not copy the snapshot.
   */
  refresh(entity: Entity, fresh: Entity): void
  /**
   * Puts the ETag of a successful write, and its Timestamp, on the caller's object. It never throws: an
   * object that cannot be assigned to, such as a frozen one, stays as it is.
   *
   * @param etag - the new ETag; `undefined` when it is unknown, and then the object carries none
   */
  showVersion(entity: Entity, etag: string | undefined): void
}
