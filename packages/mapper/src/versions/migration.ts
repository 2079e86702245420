import { DecodeError, type EntityKey, keyOfRaw, parseDateTime, type RawEntity } from '@rowkey/odata'
import { NOWHERE, type RowCodec } from '../codec/row-codec.ts'
import { mapperDecodeError } from '../errors/codes.ts'
import type { EntityModel } from '../model/entity-model.ts'
import { keepSnapshot, type RowOrigin } from '../snapshot/snapshot.ts'

/** What a {@link Migration} is made from. */
export interface MigrationParts<Entity extends object> {
  /** The model of what comes out. */
  readonly model: EntityModel<Entity>
  /** Its codec, which reads no other versions. */
  readonly codec: RowCodec<Entity>
  /** The codec of the other version. */
  readonly other: RowCodec<object>
  /** The stored names that either version declares; the rest of a row stays as it is. */
  readonly declared: ReadonlySet<string>
  /** Makes an entity of one of the other version. */
  readonly migrate: (other: object) => object
  /** The option that holds it, for messages. */
  readonly option: 'migrate' | 'migrateBack'
}

/** Makes entities of a model of rows of another version. */
export class Migration<Entity extends object> {
  readonly #parts: MigrationParts<Entity>

  constructor(parts: MigrationParts<Entity>) {
    this.#parts = parts
  }

  /**
   * Returns the entity that a row of the other version is now. The row is stored otherwise, so every write of
   * the entity replaces it, and drops what only the other version has.
   *
   * @throws DecodeError (`MigrationFailed`) when the result cannot be stored in the row's place
   */
  read(raw: RawEntity, etag: string | undefined, origin: RowOrigin = NOWHERE): Entity {
    const { other, codec } = this.#parts
    const key = keyOfRaw(raw)
    const entity = this.#migrate(other.read(raw, etag, origin), key)
    const inRow = raw['odata.etag']
    this.#adopt(entity, { raw, etag: typeof inRow === 'string' ? inRow : etag, origin })
    try {
      // What cannot be written is reported now, where its reason is at hand.
      codec.write(entity)
      this.#checkKey(entity, key)
    } catch (cause) {
      if (cause instanceof DecodeError && cause.code === 'MigrationFailed') throw cause
      const { option } = this.#parts
      throw this.#refuse(
        key,
        `${option} returned what cannot be stored: ${messageOf(cause)}`,
        cause,
      )
    }
    return entity
  }

  /** Returns the row as a reader with the keys sees it. */
  reveal(raw: RawEntity): RawEntity {
    return this.#parts.other.reveal?.(raw) ?? raw
  }

  #migrate(other: object, key: EntityKey): Entity {
    const { model, migrate, option } = this.#parts
    let entity: object
    try {
      entity = migrate(other)
    } catch (cause) {
      throw this.#refuse(key, `${option} threw: ${messageOf(cause)}`, cause)
    }
    if (isEntity(model, entity)) return entity
    throw this.#refuse(
      key,
      model.class === undefined
        ? `${option} must return an object, not a promise.`
        : `${option} must return an instance of ${model.title}, not a promise.`,
    )
  }

  /** What was stored counts as stored, except for what either version declares: that is all new. */
  #adopt(
    entity: Entity,
    { raw, etag, origin }: { raw: RawEntity; etag: string | undefined; origin: RowOrigin },
  ): void {
    const { model, codec, declared, option } = this.#parts
    const left: Record<string, unknown> = {}
    for (const [member, value] of Object.entries(raw)) {
      const [name = ''] = member.split('@')
      if (!declared.has(name)) left[member] = value
    }
    codec.showVersion(entity, etag)
    if (model.timestamp !== undefined && typeof raw.Timestamp === 'string') {
      Reflect.set(entity, model.timestamp, parseDateTime(raw.Timestamp))
    }
    const migrated = option === 'migrate' ? 'forward' : 'back'
    keepSnapshot(entity, { origin, row: left, etag, partial: false, migrated })
  }

  #checkKey(entity: Entity, stored: EntityKey): void {
    const { partitionKey, rowKey } = this.#parts.codec.keyOf(entity)
    if (partitionKey === stored.partitionKey && rowKey === stored.rowKey) return
    const now = JSON.stringify([partitionKey, rowKey])
    throw this.#refuse(stored, `the keys came out as ${now}, but a migration must keep them.`)
  }

  #refuse(key: EntityKey, problem: string, cause?: unknown): DecodeError {
    const row = JSON.stringify([key.partitionKey, key.rowKey])
    return mapperDecodeError({
      code: 'MigrationFailed',
      message: `${this.#parts.model.title}: migrating the row ${row} failed: ${problem}`,
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
