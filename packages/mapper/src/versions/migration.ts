import {
  compareKeys,
  DecodeError,
  type EntityKey,
  keyOfRaw,
  parseDateTime,
  propertyNamesOf,
  type RawEntity,
} from '@rowkey/odata'
import type { EntityShape } from '../codec/entity-shape.ts'
import type { EntityRow, RowCodec } from '../codec/row-codec.ts'
import { mapperDecodeError } from '../errors/codes.ts'
import { keyText } from '../errors/compose-errors.ts'
import { Row } from '../member/row.ts'
import { pickMembers } from '../member/stored-member.ts'
import type { EntityModel } from '../model/entity-model.ts'
import { declaredNamesIn } from '../model/marks-of.ts'
import { showMade } from '../snapshot/object-row.ts'

/** The options of a {@link Migration}. */
export interface MigrationParts<Entity extends object> {
  /** The model of the result. */
  readonly model: EntityModel<Entity>
  /** Its codec, which reads only its own version. */
  readonly codec: RowCodec<Entity>
  /** Knows where its entities show their ETag. */
  readonly shape: EntityShape<Entity>
  /** The model of the other version. */
  readonly otherModel: EntityModel<object>
  /** Its codec. */
  readonly other: RowCodec<object>
  /** Converts an entity of the other version. */
  readonly migrate: (other: object) => object
  /** The name of the option, for messages. */
  readonly option: 'migrate' | 'migrateBack'
}

/** An entity that was made of a row of another version. */
export interface MigratedRow<Entity> extends EntityRow<Entity> {
  /** Its row in its own version. */
  readonly own: Row
}

/** Converts rows of another version to entities of a model. */
export class Migration<Entity extends object> {
  /** What it converts by. */
  readonly parts: MigrationParts<Entity>

  constructor(parts: MigrationParts<Entity>) {
    this.parts = parts
  }

  /**
   * Converts a row of the other version, and writes the result in this one. Because the stored row differs, every write of
   * the entity replaces it, and drops properties that only an earlier version has.
   *
   * @throws DecodeError (`MigrationFailed`) when the result cannot be stored
   */
  read(raw: RawEntity, given: string | undefined): MigratedRow<Entity> {
    const { other, codec, option } = this.parts
    const key = keyOfRaw(raw)
    const read = other.read(raw, given)
    const entity = this.#migrate(read.entity, key)
    const row = this.#undeclaredIn(raw, read.foreign)
    const foreign = row.names
    this.#showVersion(entity, raw, read.etag)
    try {
      // An invalid result is reported now, while its cause is known.
      const from = { row, partial: false, foreign }
      const { row: own, changes } = codec.write(entity, from)
      showMade(entity, changes)
      this.#checkKey(entity, key)
      return { entity, own, row, foreign, etag: read.etag, other: 'earlier' }
    } catch (cause) {
      if (cause instanceof DecodeError && cause.code === 'MigrationFailed') throw cause
      const problem = `the result of ${option} cannot be stored: ${messageOf(cause)}`
      throw this.#refuse(key, problem, cause)
    }
  }

  /** Returns the row as a reader with the keys sees it. */
  reveal(raw: RawEntity): RawEntity {
    return this.parts.other.reveal(raw)
  }

  #migrate(other: object, key: EntityKey): Entity {
    const { model, migrate, option } = this.parts
    let entity: object
    try {
      entity = migrate(other)
    } catch (cause) {
      throw this.#refuse(key, `${option} threw: ${messageOf(cause)}`, cause)
    }
    if (isEntity(model, entity)) return entity
    const wanted = model.class === undefined ? 'an object' : `an instance of ${model.title}`
    throw this.#refuse(key, `${option} must return ${wanted}, not a promise.`)
  }

  /**
   * Returns the stored properties that neither version declares; all others count as new.
   *
   * @param foreign - those that the other version does not write, if its class maps itself
   */
  #undeclaredIn(raw: RawEntity, foreign: ReadonlySet<string> | undefined): Row {
    const { model, otherModel } = this.parts
    const names = [model, otherModel].flatMap((each) => declaredNamesIn(raw, each))
    const written = foreign && propertyNamesOf(raw).filter((name) => !foreign.has(name))
    const declared = new Set([...names, ...(written ?? [])])
    return Row.read(pickMembers(raw, (name) => !declared.has(name)))
  }

  #showVersion(entity: Entity, raw: RawEntity, etag: string | undefined): void {
    const { model, shape } = this.parts
    shape.showVersion(entity, etag)
    if (model.timestamp !== undefined && typeof raw.Timestamp === 'string') {
      Reflect.set(entity, model.timestamp, parseDateTime(raw.Timestamp))
    }
  }

  #checkKey(entity: Entity, stored: EntityKey): void {
    const { codec, option } = this.parts
    const key = codec.keyOf(entity)
    if (compareKeys(key, stored) === 0) return
    throw this.#refuse(
      stored,
      `${option} changed the keys to ${keyText(key)}, but a migration must keep them.`,
    )
  }

  #refuse(key: EntityKey, problem: string, cause?: unknown): DecodeError {
    return mapperDecodeError({
      code: 'MigrationFailed',
      message: `${this.parts.model.title}: migrating the row ${keyText(key)} failed: ${problem}`,
      details: key,
      cause,
    })
  }
}

function isEntity<Entity extends object>(
  model: EntityModel<Entity>,
  given: unknown,
): given is Entity {
  if (model.class !== undefined) return given instanceof model.class
  return typeof given === 'object' && given !== null && !(given instanceof Promise)
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
