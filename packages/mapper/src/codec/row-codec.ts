import type { EdmType, EntityKey, RawEntity } from '@rowkey/odata'
import type { Row } from '../member/row.ts'
import type { StoredValue } from '../member/stored-member.ts'

/**
 * Translates between the entities of one model and their rows.
 *
 * A codec is a pure function of its arguments. It neither attaches anything to an entity nor looks at what an entity
 * remembers: `snapshot/` does both, after it.
 */
export interface RowCodec<Entity extends object> {
  /**
   * Returns the key of an entity, checked.
   *
   * @throws `InputError` (`InvalidEntityKey`)
   */
  keyOf(entity: Entity): EntityKey
  /**
   * Returns the key as an entity shows it; absent where that is always {@link RowCodec.keyOf}. The row of an object that was
   * read keeps its key, also where the schema would change it.
   *
   * @throws `InputError` (`InvalidEntityKey`)
   */
  shownKeyOf?(entity: Entity): EntityKey
  /**
   * Writes the whole row of an entity, with the stored properties that the model does not declare.
   *
   * @param from - the row that the object was made from; `undefined` for a new object
   * @param times - the times that the model keeps; absent for those that the entity shows
   * @throws `InputError`, such as `InvalidEntityKey`
   */
  write(entity: Entity, from: OriginalRow | undefined, times?: WriteTimes): Written
  /**
   * Compares an entity with the row that it was made from, for a write that sends a part of it. A merge leaves type and version as they
   * are stored.
   *
   * @param from - the row; `undefined` for a new object
   */
  compare(entity: Entity, from: OriginalRow | undefined, write: PartWrite): Compared
  /**
   * Reads an entity from one JSON object of a response.
   *
   * @param raw - the parsed object
   * @param etag - the ETag header of a single-entity response; `odata.etag` in the object wins
   * @param isPart - whether the response has only the selected properties
   */
  read(raw: RawEntity, etag?: string, isPart?: boolean): EntityRow<Entity>
  /** Returns a row as a reader with the keys sees it: verified and decrypted. */
  reveal(raw: RawEntity): RawEntity
}

/** An entity that was written. */
export interface Written extends Made {
  /** Its row, with a key that was checked. */
  readonly row: Row
}

/** What is made for a write. */
export interface Made {
  /** The values that the entity shows once the write is applied; absent when it shows them already. */
  readonly changes?: readonly MemberChange[] | undefined
}

/** A member that a schema changes. */
export interface MemberChange {
  readonly member: string
  /** What the caller gave. */
  readonly given: unknown
  /** What is stored. */
  readonly made: unknown
}

/** A write that sends some properties of an entity. */
export interface PartWrite {
  /** A merge into a row, or into one that it may make. */
  readonly kind: 'merge' | 'upsert'
  /** The times that the model keeps, sent when another property is. */
  readonly times?: WriteTimes | undefined
}

/** An entity beside the row that it was made from. */
export interface Compared {
  /** The key of the entity, checked. */
  readonly key: EntityKey
  /** All properties of the entity, and those of the row that it could have. */
  readonly members: readonly Member[]
  /**
   * Writes the key and some members.
   *
   * @param chosen - by `difference`
   * @throws `InputError` when a value cannot be stored
   */
  write(chosen: readonly Member[]): Part
}

/** One property of an entity, beside the stored one. */
export interface Member {
  readonly property: WrittenProperty
  /** The value in the row that the object was made from. */
  readonly stored: StoredValue | undefined
  /** Whether the entity shows exactly the stored value, another one, or none. */
  readonly state: 'same' | 'changed' | 'missing'
  /** The plain JSON of a changed value. */
  readonly text?: string | undefined
}

/** A part of an entity that was written. */
export interface Part extends Written {
  /** The properties by {@link WrittenProperty.name}; empty where at most the object changes. */
  readonly names: readonly string[]
}

/** The times of a write, for a model that keeps them. */
export interface WriteTimes {
  /** When the row was made; `undefined` where that is not known, or not stored. */
  readonly createdAt: Date | undefined
  /** When it is written. */
  readonly updatedAt: Date
}

/** The row that an object was made from. An unchanged value keeps its stored text. */
export interface OriginalRow extends Shown {
  readonly row: Row
  /** Only selected properties were read. */
  readonly partial: boolean
  /** The stored names whose values may be others by now. */
  readonly doubtful?: ReadonlySet<string> | undefined
  /** It is not the row that is written: nothing is known of that one. */
  readonly isOther?: boolean | undefined
}

/** How a fresh object shows its row. */
export interface Shown {
  /**
   * The JSON of members whose values differ from the stored ones although the caller set nothing. These are defaults of
   * the class, and values that the class writes with another text. They count as untouched.
   */
  readonly initial?: ReadonlyMap<string, string> | undefined
  /**
   * The stored names that a class which maps itself does not write: they belong to other programs. Absent when the class
   * could not write a selected part.
   */
  readonly foreign?: ReadonlySet<string> | undefined
}

/** One property of an entity. */
export interface WrittenProperty {
  /** The stored name; of a cut value, the first. */
  readonly name: string
  /** `Class.member`, for messages. */
  readonly label: string
  /** The declared type; `undefined` when the value decides. */
  readonly type?: EdmType | undefined
  /** Whether a schema gives it a default. */
  readonly hasDefault?: boolean | undefined
  /** Says that it has no value, and how to give it one, for messages. */
  readonly absence?: { readonly problem: string; readonly fix: string }
}

/** An entity that was read, and what is known of its row. */
export interface EntityRow<Entity> extends Shown {
  readonly entity: Entity
  readonly etag: string | undefined
  /** The row, or of a migrated entity only what neither version declares. */
  readonly row: Row
  /** The row is of another version than the entity: an earlier one, or this one of the next. */
  readonly other?: 'earlier' | LaterRow | undefined
}

/** A row of the next version, and what the object was when it was known. */
export interface LaterRow {
  readonly row: Row
  /** The row that the object had then in its own version. */
  readonly own: Row
}

/** Makes a codec that does some of its work itself and leaves the rest to another one. */
export function over<Entity extends object>(
  codec: RowCodec<Entity>,
  own: Partial<RowCodec<Entity>>,
): RowCodec<Entity> {
  return {
    keyOf: (entity) => codec.keyOf(entity),
    write: (entity, from, times) => codec.write(entity, from, times),
    compare: (entity, from, write) => codec.compare(entity, from, write),
    read: (raw, etag, isPart) => codec.read(raw, etag, isPart),
    reveal: (raw) => codec.reveal(raw),
    ...(codec.shownKeyOf && { shownKeyOf: (entity) => codec.shownKeyOf!(entity) }),
    ...own,
  }
}
