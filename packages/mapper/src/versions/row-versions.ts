import { type DecodeError, type InputError, keyOfRaw, type RawEntity } from '@rowkey/odata'
import { over, type RowCodec } from '../codec/row-codec.ts'
import { mapperInputError } from '../errors/codes.ts'
import { keyText, unreadableVersion } from '../errors/compose-errors.ts'
import type { EntityModel, ModelVersion } from '../model/entity-model.ts'
import type { RowRule } from '../model/row-rule.ts'
import { laterVersionIn, versionPropertyAfter } from '../model/to-model-version.ts'
import { currentNames, type Snapshot } from '../snapshot/snapshot.ts'
import { neverPasses, type WriteGuard } from '../snapshot/write-guard.ts'
import type { Migration } from './migration.ts'
import type { NextVersion } from './next-version.ts'

/** The options of {@link RowVersions}. */
export interface VersionParts<Entity extends object> {
  readonly model: EntityModel<Entity>
  readonly version: ModelVersion
  /** Reads rows of earlier versions; absent when they are rejected. */
  readonly migration: Migration<Entity> | undefined
  /** Returns the reader of rows of the next version; absent when they are rejected. */
  readonly fromNext: (() => NextVersion<Entity>) | undefined
}

/** Reads rows of other versions as entities of one version, or rejects them, and guards them from writes. */
export class RowVersions<Entity extends object> implements WriteGuard<Entity> {
  readonly #parts: VersionParts<Entity>
  readonly #further: WriteGuard<Entity>

  /** @param further - what else must be true of rows */
  constructor(parts: VersionParts<Entity>, further: WriteGuard<Entity>) {
    this.#parts = parts
    this.#further = further
  }

  /** Lets a codec of this version read rows of the others. */
  codec(own: RowCodec<Entity>): RowCodec<Entity> {
    return over(own, {
      read: (raw, etag, isPart) => {
        const migration = this.#migrationOf(raw)
        if (migration === undefined) return own.read(raw, etag, isPart)
        if (!isPart) return migration.read(raw, etag)
        const { number } = this.#parts.version
        throw this.#unreadable(
          raw,
          `has version ${this.#versionIn(raw)}, and only a whole entity can be migrated to ${number}. Read it ` +
            'without select, or upgrade the table with upgradeTable.',
        )
      },
      reveal: (raw) => (this.#migrationOf(raw) ?? own).reveal(raw),
    })
  }

  /**
   * Lets a merge change only a row of this version, because a merge does not change the stored version. The object's own
   * ETag proves it; otherwise the stored row shows it.
   */
  checkMerge(
    entity: Entity,
    snapshot: Snapshot | undefined,
    etag: string | undefined,
  ): RowRule | undefined {
    const further = this.#further.checkMerge?.(entity, snapshot, etag)
    if (snapshot?.other !== undefined && etag !== undefined) return this.#checkMigrated(etag)
    // A write past others may have met another version, and the object now carries the ETag of that row.
    const { number, property } = this.#parts.version
    const isOwn = snapshot !== undefined && etag === snapshot.etag
    if (isOwn && currentNames(snapshot)?.has(property) !== false) return further
    return {
      names: [property, ...(further?.names ?? [])],
      check: (raw) => {
        further?.check?.(raw)
        const stored = this.#versionIn(raw)
        if (stored !== number) throw this.#mixed('A merge', raw, stored)
      },
    }
  }

  /** A migrated object does not show what changed in it, so only its own row tells what to write. */
  #checkMigrated(etag: string): RowRule {
    const { title } = this.#parts.model
    const error = unknownVersion(
      `merge of ${title} could mix two versions in one row, because the object was migrated from ` +
        'another version. Merge it with its own ETag, or use modify.',
    )
    if (etag === '*') throw error
    return neverPasses(error)
  }

  /** Lets an entity replace a row that was not read, unless the row is of a later version. */
  checkReplace(): RowRule {
    const { number, property } = this.#parts.version
    return {
      names: [property],
      check: (raw) => {
        const stored = this.#stored(raw)
        if (isVersion(stored) && stored > number) throw this.#mixed('A replace', raw, stored)
      },
    }
  }

  #mixed(call: Overwrite, raw: RawEntity, stored: number): InputError {
    const { model, version } = this.#parts
    const isLater = stored > version.number
    const fix =
      isLater && this.#parts.fromNext === undefined
        ? 'Update the program.'
        : 'Read the entity and write it with its own ETag, or use modify.'
    return mixedVersions(call, model, raw, { stored, own: version.number, fix })
  }

  /**
   * Returns the migration of a row; `undefined` for a row of this version.
   *
   * @throws DecodeError (`UnreadableVersion`) when no known version can read it
   */
  #migrationOf(raw: RawEntity): Migration<Entity> | NextVersion<Entity> | undefined {
    const { number } = this.#parts.version
    const { migration, fromNext } = this.#parts
    const stored = this.#versionIn(raw)
    if (stored === number) return undefined
    if (stored === number + 1 && fromNext !== undefined) return fromNext()
    if (stored > number) {
      throw this.#unreadable(
        raw,
        `has version ${stored}, which this program cannot read. Update the program: a write would lose what the later version added.`,
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
    if (isVersion(stored)) return stored
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

/** A write that does not know the row that it changes. */
type Overwrite = 'A merge' | 'A replace'

/** The two versions that would meet in a row, and what to do. */
interface Meeting {
  readonly stored: number
  readonly own: number
  readonly fix: string
}

function mixedVersions(
  call: Overwrite,
  { title }: EntityModel<object>,
  raw: RawEntity,
  { stored, own, fix }: Meeting,
): InputError {
  const harm =
    call === 'A replace'
      ? 'would lose what the later version added'
      : 'would mix two versions in one row'
  return unknownVersion(
    `${title}: the row ${keyText(keyOfRaw(raw))} has version ${stored}, and the object has version ${own}. ${call} ${harm}. ${fix}`,
  )
}

/**
 * Guards rows of a later version from the writes of a model without a version, if a later one names it as its
 * `previous`. The later model may be declared after the first write, so each write looks again.
 *
 * @param further - what else must be true of rows
 */
export function guardFromFirst(
  model: EntityModel<object>,
  further: WriteGuard<object>,
): WriteGuard<object> {
  const notLater = (call: Overwrite, also: RowRule | undefined): RowRule | undefined => {
    const property = versionPropertyAfter(model)
    if (property === undefined) return also
    return {
      names: [property, ...(also?.names ?? [])],
      check(raw) {
        also?.check?.(raw)
        const stored = laterVersionIn(model, raw)
        if (stored === undefined) return
        throw mixedVersions(call, model, raw, { stored, own: 1, fix: 'Update the program.' })
      },
    }
  }
  return {
    checkMerge(entity, snapshot, etag) {
      const also = further.checkMerge?.(entity, snapshot, etag)
      const isOwn = etag !== undefined && etag === snapshot?.etag
      return isOwn ? also : notLater('A merge', also)
    },
    checkReplace: (entity) => notLater('A replace', further.checkReplace?.(entity)),
  }
}

function isVersion(stored: unknown): stored is number {
  return typeof stored === 'number' && Number.isInteger(stored) && stored >= 1
}

function unknownVersion(message: string): InputError {
  return mapperInputError({ code: 'UnknownVersion', message })
}
