import { type EntityCodec, type EntityKey, parseDateTime, type RawEntity } from '@rowkey/odata'
import { keepLoadedState } from '../codec/loaded-state.ts'
import { MigrationError } from '../errors/migration-error.ts'
import type { EntityModel } from '../model/entity-model.ts'
import { declaredNamesOfAll } from './declared-names.ts'
import { keepPendingMigration } from './pending-migration.ts'

/** What a {@link Migration} is made from. */
export interface MigrationParts<Entity extends object> {
  /** The model of what comes out. */
  readonly model: EntityModel<Entity>
  /** Its codec, which reads no earlier versions. */
  readonly codec: EntityCodec<Entity>
  /** The codec of the version before, which reads all before it. */
  readonly earlier: EntityCodec<object>
  /** Makes an entity of one of the version before. */
  readonly migrate: (earlier: object) => object
}

/** Makes entities of a model of rows of earlier versions. */
export class Migration<Entity extends object> {
  readonly #parts: MigrationParts<Entity>
  readonly #declared: ReadonlySet<string>

  constructor(parts: MigrationParts<Entity>) {
    this.#parts = parts
    this.#declared = declaredNamesOfAll(parts.model)
  }

  /**
   * The entity that a row of an earlier version is now. As it is not stored so, the next merge sends all of
   * it, and a replace drops what only earlier versions had.
   *
   * @throws {@link MigrationError} when none comes out that can be stored in the row's place
   */
  read(raw: RawEntity, etag: string | undefined): Entity {
    const { earlier, codec } = this.#parts
    const key = { partitionKey: String(raw.PartitionKey), rowKey: String(raw.RowKey) }
    const entity = this.#migrate(earlier.read(raw, etag), key)
    const inRow = raw['odata.etag']
    const current = typeof inRow === 'string' ? inRow : etag
    this.#adopt(entity, raw, current)
    try {
      // Whatever could not be written is told now, where its reason is at hand.
      codec.write(entity)
      this.#checkKey(entity, key)
    } catch (cause) {
      if (cause instanceof MigrationError) throw cause
      throw this.#refuse(key, `migrate gave what cannot be stored: ${messageOf(cause)}`, cause)
    }
    const stored = this.#parts.model.columns.map(({ name }) => name).filter((name) => name in raw)
    keepPendingMigration(entity, { key, stored })
    return entity
  }

  /** The row as those see it who may read it. */
  reveal(raw: RawEntity): RawEntity {
    return this.#parts.earlier.reveal?.(raw) ?? raw
  }

  #migrate(earlier: object, key: EntityKey): Entity {
    const { model, migrate } = this.#parts
    let entity: object
    try {
      entity = migrate(earlier)
    } catch (cause) {
      throw this.#refuse(key, `migrate threw: ${messageOf(cause)}`, cause)
    }
    if (isEntity(model, entity)) return entity
    throw this.#refuse(
      key,
      model.class === undefined
        ? 'migrate must return an object, and no promise.'
        : `migrate must return an instance of ${model.title}, and no promise.`,
    )
  }

  /** What was stored counts as stored, but for what any version declares: that is all new. */
  #adopt(entity: Entity, raw: RawEntity, etag: string | undefined): void {
    const left: Record<string, unknown> = {}
    for (const [member, value] of Object.entries(raw)) {
      const [name = ''] = member.split('@')
      if (!this.#declared.has(name)) left[member] = value
    }
    const { timestamp } = this.#parts.model
    this.#parts.codec.written(entity, etag)
    if (timestamp !== undefined && typeof raw.Timestamp === 'string') {
      Reflect.set(entity, timestamp, parseDateTime(raw.Timestamp))
    }
    keepLoadedState(entity, { raw: left, etag, projected: false })
  }

  #checkKey(entity: Entity, stored: EntityKey): void {
    const { partitionKey, rowKey } = this.#parts.codec.keyOf(entity)
    if (partitionKey === stored.partitionKey && rowKey === stored.rowKey) return
    const now = JSON.stringify([partitionKey, rowKey])
    throw this.#refuse(stored, `the keys came out as ${now}, and an entity keeps its keys.`)
  }

  #refuse(key: EntityKey, problem: string, cause?: unknown): MigrationError {
    return new MigrationError({ className: this.#parts.model.title, key, problem, cause })
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
