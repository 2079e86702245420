import {
  compareKeys,
  DynamicEntity,
  dynamicEntityCodec,
  type EntityProperty,
  type InputError,
  type RawEntity,
} from '@rowkey/odata'
import { DelegatingCodec } from '../codec/delegating-codec.ts'
import { memberOf, type Properties, unchangedIn } from '../codec/dynamic-codec.ts'
import type { RowCodec } from '../codec/row-codec.ts'
import { mapperInputError } from '../errors/codes.ts'
import { cannotRemove, UNKNOWN_OUTCOME } from '../errors/compose-errors.ts'
import { ModelError } from '../errors/model-error.ts'
import { storedNames } from '../member/stored-member.ts'
import type { EntityModel } from '../model/entity-model.ts'
import { managedNames } from '../model/marks-of.ts'
import {
  isComplete,
  keepSnapshot,
  type RowOrigin,
  rowBehind,
  type Snapshot,
  snapshotOf,
} from '../snapshot/snapshot.ts'
import type { SelfMapped } from './self-mapped.ts'

/** The codec of a class that maps its entities itself; another codec handles key and ETag. */
export class SelfMappedCodec<Entity extends SelfMapped> extends DelegatingCodec<Entity> {
  readonly #title: string
  /** The stored names that Rowkey manages: type, version, signature. */
  readonly #besides: ReadonlySet<string>
  /**
   * The names of the further pieces of long values, by the first name: a shorter value leaves pieces
   * behind.
   */
  readonly #pieces: ReadonlyMap<string, string>
  readonly #mappings = new WeakMap<object, OwnMapping>()

  constructor(codec: RowCodec<Entity>, model: EntityModel<Entity>) {
    super(codec)
    this.#title = model.title
    this.#pieces = new Map(
      model.columns.flatMap((column) => {
        const [first = column.name, ...further] = storedNames(column)
        return further.map((name): [string, string] => [name, first])
      }),
    )
    this.#besides = new Set(managedNames(model))
  }

  override write(entity: Entity): string {
    const stored = this.#shown(entity, undefined)
    const foreign = this.#mappings.get(entity)?.foreign
    const known = this.#known(entity)
    for (const [name, property] of known) {
      const isForeign = foreign?.has(name) && !this.#isPiece(name, known)
      if (isForeign && !stored.has(name)) stored.properties.set(name, property)
    }
    return dynamicEntityCodec.write(stored)
  }

  override writeShown(entity: Entity, snapshot: Snapshot | undefined): string {
    return dynamicEntityCodec.write(this.#shown(entity, snapshot))
  }

  override writeChanges(entity: Entity, snapshot: Snapshot | undefined): string | undefined {
    if (snapshot === undefined) return this.writeShown(entity, snapshot)
    const isKnown = this.#mappings.get(entity)?.isKnown !== false
    if (snapshot.partial && !isKnown) throw partUnknown(this.#title)
    const changes = this.#stored(entity)
    const known = this.#known(entity)
    const removed = this.#removed(entity, changes, [...known.keys(), ...(snapshot.doubtful ?? [])])
    if (removed !== undefined) {
      throw removedByMerge(this.#title, removed, known.get(removed))
    }
    for (const name of unchangedIn(changes, known, snapshot)) changes.properties.delete(name)
    return changes.properties.size === 0 ? undefined : dynamicEntityCodec.write(changes)
  }

  override untouched(entity: Entity): ReadonlySet<string> {
    const initial = snapshotOf(entity)?.initial
    return unchangedIn(this.#stored(entity), this.#known(entity), { initial })
  }

  override read(raw: RawEntity, etag?: string, origin?: RowOrigin, isPart = false): Entity {
    const entity = this.codec.read(systemPart(raw), etag, origin)
    const snapshot = snapshotOf(entity) as Snapshot // it was just read
    entity.readEntity(dynamicEntityCodec.read(raw, snapshot.etag))
    const mapping = ownMapping(() => this.#stored(entity), dynamicEntityCodec.read(raw))
    this.#mappings.set(entity, mapping)
    keepSnapshot(entity, { ...snapshot, row: raw, partial: isPart, initial: mapping.defaults })
    return entity
  }

  override lacksStored(entity: Entity, snapshot: Snapshot): boolean {
    if (!isComplete(snapshot)) return false
    const names = [...this.#known(entity).keys()]
    return this.#removed(entity, this.#stored(entity), names) !== undefined
  }

  override refresh(entity: Entity, fresh: Entity): void {
    super.refresh(entity, fresh)
    const raw = rowBehind(fresh)
    const etag = this.etagOf(fresh, snapshotOf(fresh))
    if (raw !== undefined) entity.readEntity(dynamicEntityCodec.read(raw, etag))
    const mapping = this.#mappings.get(fresh)
    if (mapping !== undefined) this.#mappings.set(entity, mapping)
  }

  /** Returns the properties that the class writes, without those of other programs. */
  #shown(entity: Entity, snapshot: Snapshot | undefined): DynamicEntity {
    const stored = this.#stored(entity)
    const known = this.#known(entity)
    const defaults = snapshotOf(entity)?.initial
    for (const [name, property] of stored.properties) {
      if (defaults?.get(name) !== memberOf(name, property)) continue
      const before = known.get(name)
      // An unchanged property keeps the text that it was stored with.
      if (before !== undefined) stored.properties.set(name, before)
      // The class gave it to an unselected property: it must not overwrite the stored value.
      else if (snapshot?.partial) stored.properties.delete(name)
    }
    return stored
  }

  /** Returns the known stored properties, without those that Rowkey manages. */
  #known(entity: Entity): Properties {
    const raw = rowBehind(entity)
    const { properties } = raw ? dynamicEntityCodec.read(raw) : new DynamicEntity('', '')
    for (const name of this.#besides) properties.delete(name)
    return properties
  }

  /** A property with another type than the first piece belongs to another program. */
  #isPiece(name: string, known: Properties): boolean {
    const first = this.#pieces.get(name)
    return first !== undefined && known.get(first)?.type === known.get(name)?.type
  }

  /** Finds the first property that the class wrote or read before, but does not write now. */
  #removed(entity: Entity, stored: DynamicEntity, names: readonly string[]): string | undefined {
    const known = this.#known(entity)
    const foreign = this.#mappings.get(entity)?.foreign
    const isKept = (name: string) => stored.has(name) || this.#isPiece(name, known)
    return names.find((name) => !isKept(name) && !this.#besides.has(name) && !foreign?.has(name))
  }

  #stored(entity: Entity): DynamicEntity {
    const key = this.keyOf(entity)
    const stored = new DynamicEntity(key.partitionKey, key.rowKey)
    const ended: unknown = entity.writeEntity(stored)
    if (compareKeys(stored, key) === 0 && ended === undefined) return stored
    throw new ModelError({
      className: entity.constructor.name,
      property: 'writeEntity',
      problem:
        'It returned a value or changed the key. It must set properties synchronously and leave the key, ' +
        'which the members with key decorators define.',
    })
  }
}

/** Returns the part of a row that a class does not map itself. */
function systemPart(raw: RawEntity): RawEntity {
  const { PartitionKey, RowKey, Timestamp } = raw
  return { PartitionKey, RowKey, Timestamp, 'odata.etag': raw['odata.etag'] }
}

/**
 * Makes the error of a merge that lacks a property.
 *
 * @param known - the stored property; `undefined` when only an earlier write may have stored it
 */
function removedByMerge(
  title: string,
  name: string,
  known: EntityProperty | undefined,
): InputError {
  const property = `${title}.${name}`
  const [state, fix] = known
    ? ['is stored', '']
    : [`may be stored, because ${UNKNOWN_OUTCOME}`, 'or reload the entity, ']
  return cannotRemove(
    `${property} ${state}, but writeEntity no longer sets it`,
    `Use replace, ${fix}or set it in writeEntity.`,
    { property, type: known?.type },
  )
}

/** Makes the error of a merge of a part that the class could not write when it was read. */
function partUnknown(title: string): InputError {
  const message = `This ${title} was read with select, and its writeEntity cannot write the selected part, so the changes are unknown. Read the whole entity first.`
  return mapperInputError({ code: 'ProjectedEntity', message })
}

/** The properties that a class would write for an unchanged entity. */
export interface OwnMapping {
  /**
   * Whether the class could write the entity; if not, all properties count as those of other programs.
   */
  readonly isKnown: boolean
  /** The stored names that the class does not write: they belong to other programs. */
  readonly foreign: ReadonlySet<string>
  /** The JSON of the properties that it writes differently, or that were not stored, by stored name. */
  readonly defaults: ReadonlyMap<string, string>
}

/**
 * Compares the row that was just read with what the class would write for it. A merge must not store
 * values that the caller never set, and must not remove properties that the class never stored.
 *
 * @param map - returns the properties that the class writes
 * @param read - the row, or its selected part
 */
export function ownMapping(map: () => DynamicEntity, { properties }: DynamicEntity): OwnMapping {
  const known = mapped(map)
  const defaults = new Map<string, string>()
  for (const [name, property] of known ?? []) {
    const isSame = properties.get(name)?.equals(property)
    if (!isSame) defaults.set(name, memberOf(name, property))
  }
  const foreign = new Set([...properties.keys()].filter((name) => !known?.has(name)))
  return { isKnown: known !== undefined, foreign, defaults }
}

/**
 * Returns `undefined` when the entity cannot be written. A read ignores that; the next write reports it.
 */
function mapped(map: () => DynamicEntity): Properties | undefined {
  try {
    return map().properties
  } catch {
    return undefined
  }
}
