import {
  DynamicEntity,
  dynamicEntityCodec,
  type EdmType,
  type EntityProperty,
  InputError,
  memberText,
  type RawEntity,
} from '@rowkey/odata'
import { DelegatingCodec } from '../codec/delegating-codec.ts'
import type { RowCodec } from '../codec/row-codec.ts'
import { mapperInputError } from '../errors/codes.ts'
import { ModelError } from '../errors/model-error.ts'
import { memberJson, storedNames } from '../member/stored-member.ts'
import type { EntityModel } from '../model/entity-model.ts'
import { marksOf } from '../model/marks-of.ts'
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
    const marks = marksOf(model).map(({ name }) => name)
    this.#title = model.title
    this.#pieces = new Map(
      model.columns.flatMap((column) => {
        const [first = column.name, ...further] = storedNames(column)
        return further.map((name): [string, string] => [name, first])
      }),
    )
    this.#besides = new Set(model.signing ? [...marks, model.signing.property] : marks)
  }

  override write(entity: Entity): string {
    const stored = this.#shown(entity, undefined)
    const foreign = this.#mappings.get(entity)?.foreign
    for (const [name, property] of this.#known(entity)) {
      const isPiece = this.#isPiece(entity, name)
      if (!stored.has(name) && foreign?.has(name) && !isPiece) stored.properties.set(name, property)
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
    for (const [name, property] of known) {
      if (this.#isRemoved(entity, name, changes)) {
        throw removedByMerge(this.#title, name, property.type)
      }
    }
    for (const name of snapshot.doubtful ?? []) {
      const isOther = this.#besides.has(name) || known.has(name)
      if (!isOther && this.#isRemoved(entity, name, changes)) throw mayBeStored(this.#title, name)
    }
    for (const [name, property] of changes.properties) {
      const member = memberOf(name, property)
      const before = snapshot.doubtful?.has(name) ? undefined : known.get(name)
      const isSame = before !== undefined && memberOf(name, before) === member
      if (isSame || snapshot.initial?.get(name) === member) changes.properties.delete(name)
    }
    return changes.properties.size === 0 ? undefined : dynamicEntityCodec.write(changes)
  }

  override untouched(entity: Entity): ReadonlySet<string> {
    const initial = snapshotOf(entity)?.initial
    const known = this.#known(entity)
    const names = [...this.#stored(entity).properties]
      .filter(([name, property]) => {
        const member = memberOf(name, property)
        const before = known.get(name)
        const isSame = before !== undefined && memberOf(name, before) === member
        return isSame || initial?.get(name) === member
      })
      .map(([name]) => name)
    return new Set(names)
  }

  override read(raw: RawEntity, etag?: string, origin?: RowOrigin): Entity {
    return this.#read(this.codec.read(systemPart(raw), etag, origin), raw, false)
  }

  override readPart(raw: RawEntity, etag?: string, origin?: RowOrigin): Entity {
    return this.#read(this.codec.read(systemPart(raw), etag, origin), raw, true)
  }

  override lacksStored(entity: Entity, snapshot: Snapshot): boolean {
    if (!isComplete(snapshot)) return false
    const stored = this.#stored(entity)
    return [...this.#known(entity).keys()].some((name) => this.#isRemoved(entity, name, stored))
  }

  override refresh(entity: Entity, fresh: Entity): void {
    super.refresh(entity, fresh)
    const raw = rowBehind(fresh)
    const etag = this.etagOf(fresh, snapshotOf(fresh))
    if (raw !== undefined) entity.readEntity(dynamicEntityCodec.read(raw, etag))
    const mapping = this.#mappings.get(fresh)
    if (mapping !== undefined) this.#mappings.set(entity, mapping)
  }

  #read(entity: Entity, raw: RawEntity, partial: boolean): Entity {
    const snapshot = snapshotOf(entity) as Snapshot // it was just read
    const stored = dynamicEntityCodec.read(raw, snapshot.etag)
    entity.readEntity(stored)
    const mapping = ownMapping(() => this.#stored(entity), dynamicEntityCodec.read(raw))
    this.#mappings.set(entity, mapping)
    keepSnapshot(entity, { ...snapshot, row: raw, partial, initial: mapping.defaults })
    return entity
  }

  /** Returns the properties that the class writes, without those of other programs. */
  #shown(entity: Entity, snapshot: Snapshot | undefined): DynamicEntity {
    const stored = this.#stored(entity)
    const defaults = snapshotOf(entity)?.initial
    for (const [name, property] of this.#known(entity)) {
      const own = stored.get(name)
      // An unchanged property keeps the text that it was stored with.
      const isUntouched = own && defaults?.get(name) === memberOf(name, own)
      if (isUntouched) stored.properties.set(name, property)
    }
    if (snapshot?.partial) this.#leaveUnread(entity, stored)
    return stored
  }

  /**
   * Removes values that the class gave to unselected properties: they must not overwrite stored values.
   */
  #leaveUnread(entity: Entity, stored: DynamicEntity): void {
    const known = this.#known(entity)
    const defaults = snapshotOf(entity)?.initial
    for (const [name, property] of stored.properties) {
      const isDefault = defaults?.get(name) === memberOf(name, property)
      if (isDefault && !known.has(name)) stored.properties.delete(name)
    }
  }

  /** Returns the known stored properties, without those that Rowkey manages. */
  #known(entity: Entity): ReadonlyMap<string, EntityProperty> {
    const raw = rowBehind(entity)
    const { properties } = raw ? dynamicEntityCodec.read(raw) : new DynamicEntity('', '')
    for (const name of this.#besides) properties.delete(name)
    return properties
  }

  /** A property with another type than the first piece belongs to another program. */
  #isPiece(entity: Entity, name: string): boolean {
    const first = this.#pieces.get(name)
    if (first === undefined) return false
    const known = this.#known(entity)
    return known.get(first)?.type === known.get(name)?.type
  }

  /** Whether the class wrote or read the property before, but does not write it now. */
  #isRemoved(entity: Entity, name: string, stored: DynamicEntity): boolean {
    if (stored.has(name) || this.#isPiece(entity, name)) return false
    return this.#mappings.get(entity)?.foreign.has(name) !== true
  }

  #stored(entity: Entity): DynamicEntity {
    const { partitionKey, rowKey } = this.keyOf(entity)
    const stored = new DynamicEntity(partitionKey, rowKey)
    const ended: unknown = entity.writeEntity(stored)
    if (stored.partitionKey === partitionKey && stored.rowKey === rowKey && ended === undefined) {
      return stored
    }
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

/** Makes the error of a merge that lacks a stored property. */
function removedByMerge(title: string, name: string, type: EdmType): InputError {
  const property = `${title}.${name}`
  const message = `${property} is stored, but writeEntity no longer sets it: a merge cannot remove a property. Use replace, or set it in writeEntity.`
  return new InputError({ code: 'InvalidPropertyValue', message, details: { property, type } })
}

/** Makes the error of a merge that lacks a property that an earlier write may have stored. */
function mayBeStored(title: string, name: string): InputError {
  const property = `${title}.${name}`
  const message = `${property} may be stored, because the outcome of an earlier write is unknown, but writeEntity no longer sets it: a merge cannot remove a property. Use replace, or reload the entity, or set it in writeEntity.`
  return new InputError({ code: 'InvalidPropertyValue', message, details: { property } })
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
  const own = known ?? new Map<string, EntityProperty>()
  const defaults = new Map<string, string>()
  for (const [name, property] of own) {
    const member = memberOf(name, property)
    const before = properties.get(name)
    if (before === undefined || memberOf(name, before) !== member) defaults.set(name, member)
  }
  const foreign = new Set([...properties.keys()].filter((name) => !own.has(name)))
  return { isKnown: known !== undefined, foreign, defaults }
}

/** Writes one property as a member of a JSON object. */
export function memberOf(name: string, { type, value }: EntityProperty): string {
  return memberJson(memberText(name), type, value)
}

/**
 * Returns `undefined` when the entity cannot be written. A read ignores that; the next write reports it.
 */
function mapped(map: () => DynamicEntity): ReadonlyMap<string, EntityProperty> | undefined {
  try {
    return map().properties
  } catch {
    return undefined
  }
}
