import { type EntityCodec, parseEntityObject, type RawEntity, type SentBody } from '@rowkey/odata'
import { DelegatingCodec } from '../codec/delegating-codec.ts'
import { MigrationError } from '../errors/migration-error.ts'
import { UnsignableMergeError } from '../errors/unsignable-merge-error.ts'
import { VersionError } from '../errors/version-error.ts'
import type { EntityModel, ModelVersion } from '../model/entity-model.ts'
import type { Migration } from './migration.ts'
import { keepPendingMigration, pendingMigration } from './pending-migration.ts'

/** What a {@link VersionedCodec} is made from. */
export interface VersionedCodecParts<Entity extends object> {
  /** Writes and reads entities of the model's own version. */
  readonly codec: EntityCodec<Entity>
  readonly model: EntityModel<Entity>
  readonly version: ModelVersion
  /** Reads those of earlier versions; absent when nothing does. */
  readonly migration: Migration<Entity> | undefined
}

/** A codec that makes entities of its version of rows of earlier ones, and refuses rows of later ones. */
export class VersionedCodec<Entity extends object> extends DelegatingCodec<Entity> {
  readonly #model: EntityModel<Entity>
  readonly #version: ModelVersion
  readonly #migration: Migration<Entity> | undefined

  constructor({ codec, model, version, migration }: VersionedCodecParts<Entity>) {
    super(codec)
    this.#model = model
    this.#version = version
    this.#migration = migration
  }

  override read(raw: RawEntity, etag?: string): Entity {
    return this.#migrationOf(raw)?.read(raw, etag) ?? super.read(raw, etag)
  }

  override readPart(raw: RawEntity, etag?: string): Entity {
    if (this.#migrationOf(raw) === undefined) return super.readPart(raw, etag)
    const stored = this.#versionIn(raw)
    throw this.#refuse(
      raw,
      `is of version ${stored}, and only a whole entity can be migrated to ${this.#version.number}. Read it ` +
        'without select, or upgrade the table by upgradeTable.',
    )
  }

  override reveal(raw: RawEntity): RawEntity {
    return this.#migrationOf(raw)?.reveal(raw) ?? super.reveal(raw)
  }

  override checkMerge(entity: Entity, etag: string | undefined): void {
    const lost = this.#lostIn(entity)
    if (lost !== undefined) {
      const pending = pendingMigration(entity)
      throw new MigrationError({
        className: this.#model.title,
        key: pending?.key ?? this.codec.keyOf(entity),
        problem: `a merge would leave the stored '${lost}', which has no value in version ${this.#version.number}. Use replace.`,
      })
    }
    if (this.#model.signing !== undefined && pendingMigration(entity) !== undefined) {
      const message = `This ${this.#model.title} was migrated when it was read, and a merge would leave what only earlier versions had, which no signature covers. Use replace.`
      throw new UnsignableMergeError({ message })
    }
    super.checkMerge(entity, etag)
  }

  override lacksStored(entity: Entity): boolean {
    const isSigned = this.#model.signing !== undefined && pendingMigration(entity) !== undefined
    return isSigned || this.#lostIn(entity) !== undefined || super.lacksStored(entity)
  }

  override refresh(entity: Entity, fresh: Entity): void {
    super.refresh(entity, fresh)
    keepPendingMigration(entity, pendingMigration(fresh))
  }

  override written(entity: Entity, etag: string | undefined, sent?: SentBody): void {
    super.written(entity, etag, sent)
    if (sent !== undefined) keepPendingMigration(entity, undefined)
  }

  /** A name under which an earlier version has a value, and the migrated entity has none. */
  #lostIn(entity: Entity): string | undefined {
    const pending = pendingMigration(entity)
    if (pending === undefined) return undefined
    const sent = parseEntityObject(this.codec.write(entity))
    return pending.stored.find((name) => !(name in sent))
  }

  /**
   * What migrates a row; `undefined` when it is of this version.
   *
   * @throws {@link VersionError} for one that nothing can read here
   */
  #migrationOf(raw: RawEntity): Migration<Entity> | undefined {
    const { number } = this.#version
    const stored = this.#versionIn(raw)
    if (stored === number) return undefined
    if (stored > number) {
      throw this.#refuse(
        raw,
        `is of version ${stored}, and this program knows ${number} at most. Update the program: to write the row would lose what the later version added.`,
      )
    }
    if (this.#migration !== undefined) return this.#migration
    throw this.#refuse(
      raw,
      `is of version ${stored}, and nothing migrates that to ${number}. Give the version before by previous and migrate.`,
    )
  }

  #versionIn(raw: RawEntity): number {
    const stored = raw[this.#version.property]
    // A projection gives null for what is not stored.
    if (stored === undefined || stored === null) return 1
    if (typeof stored === 'number' && Number.isInteger(stored) && stored >= 1) return stored
    throw this.#refuse(
      raw,
      `holds no version in '${this.#version.property}'. Another program uses it, so choose another versionProperty.`,
    )
  }

  #refuse(raw: RawEntity, problem: string): VersionError {
    const key = { partitionKey: String(raw.PartitionKey), rowKey: String(raw.RowKey) }
    const stored = raw[this.#version.property]
    return new VersionError({
      className: this.#model.title,
      key,
      stored: typeof (stored ?? 1) === 'number' ? Number(stored ?? 1) : undefined,
      problem,
    })
  }
}
