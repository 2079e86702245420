import {
  dynamicEntityCodec,
  type EntityKey,
  type EntityProperty,
  type InputError,
  type RawEntity,
} from '@rowkey/odata'
import type { Properties } from '../codec/dynamic-codec.ts'
import type { EntityRow, LaterRow, Made, RowCodec, WriteTimes } from '../codec/row-codec.ts'
import { mapperInputError } from '../errors/codes.ts'
import { keyText } from '../errors/compose-errors.ts'
import { Row } from '../member/row.ts'
import { pickMembers, storedNames } from '../member/stored-member.ts'
import type { EntityModel } from '../model/entity-model.ts'
import type { Snapshot } from '../snapshot/snapshot.ts'
import type { Migration } from './migration.ts'

/** The whole row of an entity in the shape of the next version. */
export interface LaterWrite extends Made {
  readonly row: Row
  /** The row that the entity would have in its own version. */
  readonly own: Row
  /** Whether the entity changed. */
  readonly isChanged: boolean
}

/** Reads and writes rows of the next version, as entities of a model that is being replaced. */
export class NextVersion<Entity extends object> {
  readonly #migration: Migration<Entity>
  readonly #next: EntityModel<object>

  /**
   * @param migration - makes entities of rows of the next version
   * @param next - the model of the next version, which also migrates rows of this one
   */
  constructor(migration: Migration<Entity>, next: EntityModel<object>) {
    this.#migration = migration
    this.#next = next
  }

  /** Makes an entity of a row of the next version. */
  read(raw: RawEntity, etag: string | undefined): EntityRow<Entity> {
    const read = this.#migration.read(raw, etag)
    return { ...read, other: { row: Row.read(raw), own: read.own } }
  }

  /** Returns the row as a reader with the keys sees it. */
  reveal(raw: RawEntity): RawEntity {
    return this.#migration.reveal(raw)
  }

  /**
   * Writes an entity in the shape of the next version. Both states of the entity, before and after the caller's changes,
   * are migrated, and what differs is what the row gets. A property that the entity does not determine keeps its stored value.
   *
   * @param times - the times that the model keeps, stored when the entity changed
   * @throws `InputError` (`LaterVersion`) when a change would not show in the row
   */
  write(entity: Entity, snapshot: Snapshot, times?: WriteTimes): LaterWrite {
    const { codec } = this.#migration.parts
    const { etag } = snapshot
    const { row: stored, own: before } = snapshot.other as LaterRow // it was read here
    const { row: shown, changes: shows } = codec.write(entity, snapshot)
    const [was, is] = [before, shown].map((row) => propertiesOf(codec, row))
    const changed = differing(was, is)
    if (changed.length === 0) return { row: stored, own: shown, changes: shows, isChanged: false }
    const { row: own, changes } = codec.write(entity, snapshot, times)
    const row = this.#changed(stored, { before, own, etag })
    const now = propertiesOf(codec, this.#migration.read(row.raw, etag).own)
    const lost = changed.find((name) => isSame(now.get(name), was?.get(name)))
    if (lost !== undefined) throw this.#refuse(stored.key, lost)
    return { row, own, changes, isChanged: true }
  }

  /** Returns the stored row with the changes. */
  #changed(
    stored: Row,
    { before, own, etag }: { before: Row; own: Row; etag: string | undefined },
  ): Row {
    const next = this.#next
    const { other } = this.#migration.parts
    const base = this.#migrated(before, etag)
    const now = this.#migrated(own, etag)
    const known = propertiesOf(other, stored)
    const [baseProperties, nowProperties] = [base, now].map((row) => propertiesOf(other, row))
    const changed = differing(baseProperties, nowProperties)
    const ownColumns = new Map(next.columns.map((column) => [column.name, column]))
    const names = new Set(
      changed
        .filter((name) => isSame(baseProperties?.get(name), known.get(name)))
        .flatMap((name) => storedNames(ownColumns.get(name) ?? { name })),
    )
    const merged = {
      ...pickMembers(stored.raw, (name) => !names.has(name)),
      ...pickMembers(now.raw, (name) => names.has(name)),
    }
    const { signing } = next
    if (signing === undefined) return Row.read(merged)
    const unsigned = pickMembers(merged, (name) => name !== signing.property)
    return signing.signatureOf(next.title).signed(Row.read(unsigned))
  }

  /** Migrates a row of this version. */
  #migrated({ raw, key }: Row, etag: string | undefined): Row {
    const next = this.#next
    const { model, other } = this.#migration.parts
    if (next.version?.migrate !== undefined) {
      const { entity, row } = other.read(raw, etag)
      return other.write(entity, { row, partial: false }).row
    }
    throw laterVersion(
      `${model.title}: the row ${keyText(key)} has the next version, and ${next.title} cannot take a change of this ` +
        'version. Give it previous and migrate, or update the program.',
    )
  }

  #refuse(key: EntityKey, property: string): InputError {
    const { model } = this.#migration.parts
    return laterVersion(
      `${model.title}: the row ${keyText(key)} has version ${this.#next.version?.number}, which cannot hold the change of ` +
        `'${property}' without losing what it knows better. Update the program, or let migrate and migrateBack carry '${property}'.`,
      property,
    )
  }
}

function laterVersion(message: string, property?: string): InputError {
  return mapperInputError({
    code: 'LaterVersion',
    message,
    ...(property !== undefined && { details: { property } }),
  })
}

/** Returns the properties of a row as a reader with the keys sees them. */
function propertiesOf(codec: Pick<RowCodec<object>, 'reveal'>, { raw }: Row): Properties {
  return dynamicEntityCodec.read(codec.reveal(raw)).properties
}

/** Returns the names of the properties that differ. */
function differing(one: Properties = new Map(), other: Properties = new Map()): string[] {
  const names = new Set([...one.keys(), ...other.keys()])
  return [...names].filter((name) => !isSame(one.get(name), other.get(name)))
}

function isSame(one: EntityProperty | undefined, other: EntityProperty | undefined): boolean {
  return one === undefined ? other === undefined : other !== undefined && one.equals(other)
}
