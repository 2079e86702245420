import { type DecodeError, type InputError, keyOfRaw, type RawEntity } from '@rowkey/odata'
import { DelegatingCodec } from '../codec/delegating-codec.ts'
import type { RowCodec } from '../codec/row-codec.ts'
import { mapperInputError } from '../errors/codes.ts'
import { unreadableVersion } from '../errors/compose-errors.ts'
import type { EntityModel, ModelVersion } from '../model/entity-model.ts'
import type { RowOrigin, Snapshot } from '../snapshot/snapshot.ts'
import type { Migration } from './migration.ts'

/** What a {@link VersionedCodec} is made from. */
export interface VersionedCodecParts<Entity extends object> {
  /** Writes and reads entities of the model's own version. */
  readonly codec: RowCodec<Entity>
  readonly model: EntityModel<Entity>
  readonly version: ModelVersion
  /** Reads rows of earlier versions; absent when they are rejected. */
  readonly migration: Migration<Entity> | undefined
  /** Returns what reads rows of the next version; absent when they are rejected. */
  readonly fromNext: (() => Migration<Entity>) | undefined
}

/** A codec that makes entities of its version of rows of earlier ones, and rejects rows of later ones. */
export class VersionedCodec<Entity extends object> extends DelegatingCodec<Entity> {
  readonly #parts: VersionedCodecParts<Entity>

  constructor(parts: VersionedCodecParts<Entity>) {
    super(parts.codec)
    this.#parts = parts
  }

  override read(raw: RawEntity, etag?: string, origin?: RowOrigin): Entity {
    return this.#migrationOf(raw)?.read(raw, etag, origin) ?? super.read(raw, etag, origin)
  }

  override readPart(raw: RawEntity, etag?: string, origin?: RowOrigin): Entity {
    if (this.#migrationOf(raw) === undefined) return super.readPart(raw, etag, origin)
    const { number } = this.#parts.version
    throw this.#unreadable(
      raw,
      `is of version ${this.#versionIn(raw)}, and only a whole entity can be migrated to ${number}. Read it ` +
        'without select, or upgrade the table by upgradeTable.',
    )
  }

  override reveal(raw: RawEntity): RawEntity {
    return this.#migrationOf(raw)?.reveal(raw) ?? super.reveal(raw)
  }

  /** A merge leaves the stored version alone, so it must be known which one that is. */
  override checkMerge(
    entity: Entity,
    snapshot: Snapshot | undefined,
    etag: string | undefined,
  ): void {
    const { title } = this.#parts.model
    if (etag === undefined) {
      throw unknownVersion(
        `insertOrMerge of ${title} could mix two versions in one row: the row that it is merged into may be of ` +
          'another version. Use insert, insertOrReplace, or modify with orInsert.',
      )
    }
    if (snapshot === undefined || snapshot.migrated !== undefined) {
      throw unknownVersion(
        `merge of ${title} could mix two versions in one row: this object was never read from it, or was ` +
          'migrated, so the stored version is unknown. Read the entity and merge it with its own ETag, or use ' +
          'modify or replace.',
      )
    }
    // A write past others may have met another version, and the object now carries the ETag of that row.
    const { current } = snapshot
    const isKnown = current === undefined || current.has(this.#parts.version.property)
    if (etag === snapshot.etag && !isKnown) {
      throw unknownVersion(
        `merge of ${title} could mix two versions in one row: an earlier write with another ETag than the ` +
          "object's own went past what others stored, so the stored version is unknown. Reload the entity first.",
      )
    }
    super.checkMerge(entity, snapshot, etag)
  }

  /**
   * Returns what migrates a row; `undefined` when it is of this version.
   *
   * @throws DecodeError (`UnreadableVersion`) when no known version can read it
   */
  #migrationOf(raw: RawEntity): Migration<Entity> | undefined {
    const { version, migration, fromNext } = this.#parts
    const { number } = version
    const stored = this.#versionIn(raw)
    if (stored === number) return undefined
    if (stored === number + 1 && fromNext !== undefined) return fromNext()
    if (stored > number) {
      throw this.#unreadable(
        raw,
        `is of version ${stored}, and this program knows ${number} at most. Update the program: a write would lose what the later version added.`,
      )
    }
    if (migration !== undefined) return migration
    throw this.#unreadable(
      raw,
      `is of version ${stored}, and nothing migrates that to ${number}. Give the version before by previous and migrate.`,
    )
  }

  #versionIn(raw: RawEntity): number {
    const stored = raw[this.#parts.version.property]
    // A projection gives null for what is not stored.
    if (stored === undefined || stored === null) return 1
    if (typeof stored === 'number' && Number.isInteger(stored) && stored >= 1) return stored
    throw this.#unreadable(
      raw,
      `holds no version in '${this.#parts.version.property}'. Another program uses it, so choose another versionProperty.`,
    )
  }

  #unreadable(raw: RawEntity, problem: string): DecodeError {
    const key = keyOfRaw(raw)
    const stored = raw[this.#parts.version.property]
    return unreadableVersion({
      className: this.#parts.model.title,
      key,
      stored: typeof (stored ?? 1) === 'number' ? Number(stored ?? 1) : undefined,
      problem,
    })
  }
}

function unknownVersion(message: string): InputError {
  return mapperInputError({ code: 'UnknownVersion', message })
}
