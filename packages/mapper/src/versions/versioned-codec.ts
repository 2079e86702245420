import { type DecodeError, type InputError, keyOfRaw, type RawEntity } from '@rowkey/odata'
import { DelegatingCodec } from '../codec/delegating-codec.ts'
import type { RowCodec } from '../codec/row-codec.ts'
import { mapperInputError } from '../errors/codes.ts'
import { unreadableVersion } from '../errors/compose-errors.ts'
import type { EntityModel, ModelVersion } from '../model/entity-model.ts'
import { checkNotLater } from '../model/to-model-version.ts'
import type { RowOrigin, Snapshot } from '../snapshot/snapshot.ts'
import type { Migration } from './migration.ts'

/** The options of a {@link VersionedCodec}. */
export interface VersionedCodecParts<Entity extends object> {
  /** Writes and reads entities of the model's own version. */
  readonly codec: RowCodec<Entity>
  readonly model: EntityModel<Entity>
  readonly version: ModelVersion
  /** Reads rows of earlier versions; absent when they are rejected. */
  readonly migration: Migration<Entity> | undefined
  /** Returns the reader of rows of the next version; absent when they are rejected. */
  readonly fromNext: (() => Migration<Entity>) | undefined
}

/** Reads rows of other versions as entities of its own version, or rejects them. */
export class VersionedCodec<Entity extends object> extends DelegatingCodec<Entity> {
  readonly #parts: VersionedCodecParts<Entity>

  constructor(parts: VersionedCodecParts<Entity>) {
    super(parts.codec)
    this.#parts = parts
  }

  override read(raw: RawEntity, etag?: string, origin?: RowOrigin, isPart?: boolean): Entity {
    const migration = this.#migrationOf(raw)
    if (migration === undefined) return super.read(raw, etag, origin, isPart)
    if (!isPart) return migration.read(raw, etag, origin)
    const { number } = this.#parts.version
    throw this.#unreadable(
      raw,
      `has version ${this.#versionIn(raw)}, and only a whole entity can be migrated to ${number}. Read it ` +
        'without select, or upgrade the table with upgradeTable.',
    )
  }

  override reveal(raw: RawEntity): RawEntity {
    return this.#migrationOf(raw)?.reveal(raw) ?? super.reveal(raw)
  }

  /**
   * Rejects a merge into a row of an unknown version, because a merge does not change the stored version.
   */
  override checkMerge(
    entity: Entity,
    snapshot: Snapshot | undefined,
    etag: string | undefined,
  ): void {
    if (etag === undefined) {
      throw this.#mixed(
        'insertOrMerge',
        'the stored row may have another version. Use insert, insertOrReplace, or modify with orInsert.',
      )
    }
    if (snapshot === undefined || snapshot.migrated !== undefined) {
      throw this.#mixed(
        'merge',
        'this object was never read from it, or was migrated, so the stored version is unknown. Read the ' +
          'entity and merge it with its own ETag, or use modify or replace.',
      )
    }
    // A write past others may have met another version, and the object now carries the ETag of that row.
    const { current } = snapshot
    const isKnown = current === undefined || current.has(this.#parts.version.property)
    if (etag === snapshot.etag && !isKnown) {
      throw this.#mixed(
        'merge',
        "an earlier write with another ETag than the object's own went past what others stored, so the stored " +
          'version is unknown. Reload the entity first.',
      )
    }
    super.checkMerge(entity, snapshot, etag)
  }

  #mixed(call: string, problem: string): InputError {
    const { title } = this.#parts.model
    const message = `${call} of ${title} could mix two versions in one row: ${problem}`
    return mapperInputError({ code: 'UnknownVersion', message })
  }

  /**
   * Returns the migration of a row; `undefined` for a row of this version.
   *
   * @throws DecodeError (`UnreadableVersion`) when no known version can read it
   */
  #migrationOf(raw: RawEntity): Migration<Entity> | undefined {
    const { number } = this.#parts.version
    const { migration, fromNext } = this.#parts
    const stored = this.#versionIn(raw)
    if (stored === number) return undefined
    if (stored === number + 1 && fromNext !== undefined) return fromNext()
    if (stored > number) {
      throw this.#unreadable(
        raw,
        `has version ${stored}, but this program can only read versions up to ${number}. Update the program: a write would lose what the later version added.`,
      )
    }
    if (migration !== undefined) return migration
    throw this.#unreadable(
      raw,
      `has version ${stored}, and ${number} has no migration from it. Add the earlier version with previous and migrate.`,
    )
  }

  #versionIn(raw: RawEntity): number {
    const stored = this.#stored(raw)
    // A projection has null for a missing property.
    if (stored === undefined || stored === null) return 1
    if (typeof stored === 'number' && Number.isInteger(stored) && stored >= 1) return stored
    throw this.#unreadable(
      raw,
      `has a '${this.#parts.version.property}' that is not a version. Another program uses that name, so choose another versionProperty.`,
    )
  }

  /** Only an own member counts: every object inherits a `constructor`. */
  #stored(raw: RawEntity): unknown {
    const { property } = this.#parts.version
    return Object.hasOwn(raw, property) ? raw[property] : undefined
  }

  #unreadable(raw: RawEntity, problem: string): DecodeError {
    const key = keyOfRaw(raw)
    const stored = this.#stored(raw)
    return unreadableVersion({
      className: this.#parts.model.title,
      key,
      stored: typeof (stored ?? 1) === 'number' ? Number(stored ?? 1) : undefined,
      problem,
    })
  }
}

/** The codec of a model with further layers and without versions: rejects rows of later versions first. */
export class UnversionedCodec<Entity extends object> extends DelegatingCodec<Entity> {
  readonly #model: EntityModel<Entity>

  constructor(codec: RowCodec<Entity>, model: EntityModel<Entity>) {
    super(codec)
    this.#model = model
  }

  override read(raw: RawEntity, etag?: string, origin?: RowOrigin, isPart?: boolean): Entity {
    checkNotLater(this.#model, raw)
    return super.read(raw, etag, origin, isPart)
  }
}
