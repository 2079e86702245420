import {
  DynamicEntity,
  dynamicEntityCodec,
  type EdmType,
  type EntityCodec,
  type EntityProperty,
  PropertyValueError,
  type RawEntity,
  type SentBody,
} from '@rowkey/odata'
import { storedNames } from '../chunk/chunk-names.ts'
import { DelegatingCodec } from '../codec/delegating-codec.ts'
import { keepLoadedState, loadedRaw, loadedState } from '../codec/loaded-state.ts'
import { ModelError } from '../errors/model-error.ts'
import { ProjectedEntityError } from '../errors/projected-entity-error.ts'
import { marksOf } from '../marks/marks-of.ts'
import type { EntityModel } from '../model/entity-model.ts'
import { memberOf, type OwnMapping, ownMapping, withoutSent } from './own-mapping.ts'
import type { SelfMapped } from './self-mapped.ts'

/** A codec of a class that says itself how its entities are stored; another one does key and ETag. */
export class SelfMappedCodec<Entity extends SelfMapped> extends DelegatingCodec<Entity> {
  readonly #title: string
  /** The stored names of what is neither the class's nor anybody else's: type, version, signature. */
  readonly #besides: ReadonlySet<string>
  /** The further pieces of what is cut: a shorter value leaves them behind, unread. */
  readonly #pieces: ReadonlySet<string>
  readonly #mappings = new WeakMap<object, OwnMapping>()

  constructor(codec: EntityCodec<Entity>, model: EntityModel<Entity>) {
    super(codec)
    const marks = marksOf(model).map(({ name }) => name)
    this.#title = model.title
    this.#pieces = new Set(model.columns.flatMap((column) => storedNames(column).slice(1)))
    this.#besides = new Set(model.signing ? [...marks, model.signing.property] : marks)
  }

  override write(entity: Entity): string {
    const stored = this.#shown(entity)
    const foreign = this.#mappings.get(entity)?.foreign
    for (const [name, property] of this.#known(entity)) {
      const isForeign = !stored.has(name) && foreign?.has(name) && !this.#pieces.has(name)
      if (isForeign) stored.properties.set(name, property)
    }
    return dynamicEntityCodec.write(stored)
  }

  override writeShown(entity: Entity): string {
    return dynamicEntityCodec.write(this.#shown(entity))
  }

  override writeChanges(entity: Entity): string | undefined {
    const state = loadedState(entity)
    if (loadedRaw(entity) === undefined || state === undefined) return this.write(entity)
    const isKnown = this.#mappings.get(entity)?.isKnown !== false
    if (state.projected && !isKnown) throw partUnknown(this.#title)
    const changes = this.#stored(entity)
    const known = this.#known(entity)
    for (const [name, property] of known) {
      if (this.#isRemoved(entity, name, changes)) {
        throw removedByMerge(this.#title, name, property.type)
      }
    }
    const isDoubtful = (state.doubtful?.size ?? 0) > 0
    for (const [name, property] of changes.properties) {
      const member = memberOf(name, property)
      const before = isDoubtful ? undefined : known.get(name)
      const isSame = before !== undefined && memberOf(name, before) === member
      if (isSame || state.defaults?.get(name) === member) changes.properties.delete(name)
    }
    return changes.properties.size === 0 ? undefined : dynamicEntityCodec.write(changes)
  }

  override read(raw: RawEntity, etag?: string): Entity {
    return this.#read(this.codec.read(systemPart(raw), etag), raw)
  }

  override readPart(raw: RawEntity, etag?: string): Entity {
    return this.#read(this.codec.readPart(systemPart(raw), etag), raw)
  }

  override lacksStored(entity: Entity): boolean {
    if (loadedRaw(entity) === undefined || this.isPart(entity)) return false
    const stored = this.#stored(entity)
    return [...this.#known(entity).keys()].some((name) => this.#isRemoved(entity, name, stored))
  }

  override refresh(entity: Entity, fresh: Entity): void {
    super.refresh(entity, fresh)
    const raw = loadedRaw(fresh)
    if (raw !== undefined) entity.readEntity(dynamicEntityCodec.read(raw, this.etagOf(fresh)))
    const mapping = this.#mappings.get(fresh)
    if (mapping !== undefined) this.#mappings.set(entity, mapping)
  }

  override written(entity: Entity, etag: string | undefined, sent?: SentBody): void {
    super.written(entity, etag, sent)
    const state = loadedState(entity)
    if (state?.defaults === undefined || sent === undefined) return
    keepLoadedState(entity, { ...state, defaults: withoutSent(state.defaults, sent) })
  }

  #read(entity: Entity, raw: RawEntity): Entity {
    const state = loadedState(entity)
    const stored = dynamicEntityCodec.read(raw, state?.etag)
    entity.readEntity(stored)
    const mapping = ownMapping(() => this.#stored(entity), dynamicEntityCodec.read(raw))
    this.#mappings.set(entity, mapping)
    if (state !== undefined) keepLoadedState(entity, { ...state, raw, defaults: mapping.defaults })
    return entity
  }

  /** What the class stores, and nothing of anybody else's. */
  #shown(entity: Entity): DynamicEntity {
    const stored = this.#stored(entity)
    const defaults = loadedState(entity)?.defaults
    for (const [name, property] of this.#known(entity)) {
      const own = stored.get(name)
      // Nobody changed it: it stays as it was read, in the spelling of whoever wrote it.
      const isUntouched = own && defaults?.get(name) === memberOf(name, own)
      if (isUntouched) stored.properties.set(name, property)
    }
    if (this.isPart(entity)) this.#leaveUnread(entity, stored)
    return stored
  }

  /** What the class gave to what was not selected must not take the place of what is stored. */
  #leaveUnread(entity: Entity, stored: DynamicEntity): void {
    const known = this.#known(entity)
    const defaults = loadedState(entity)?.defaults
    for (const [name, property] of stored.properties) {
      const isDefault = defaults?.get(name) === memberOf(name, property)
      if (isDefault && !known.has(name)) stored.properties.delete(name)
    }
  }

  /** What is stored, as far as it is known, but for what every codec adds by itself. */
  #known(entity: Entity): ReadonlyMap<string, EntityProperty> {
    const raw = loadedRaw(entity)
    const { properties } = raw ? dynamicEntityCodec.read(raw) : new DynamicEntity('', '')
    for (const name of this.#besides) properties.delete(name)
    return properties
  }

  /** The class stored it, or read it, and stores it no more. */
  #isRemoved(entity: Entity, name: string, stored: DynamicEntity): boolean {
    if (stored.has(name) || this.#pieces.has(name)) return false
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
        'It returned something, or changed the key. It sets properties, at once, and the key is what ' +
        'the members say that are keys.',
    })
  }
}

/** What a class does not map itself. */
function systemPart(raw: RawEntity): RawEntity {
  const { PartitionKey, RowKey, Timestamp } = raw
  return { PartitionKey, RowKey, Timestamp, 'odata.etag': raw['odata.etag'] }
}

/** The error of a merge from which a stored property is missing. */
function removedByMerge(title: string, name: string, type: EdmType): PropertyValueError {
  const property = `${title}.${name}`
  const message = `${property} is stored, and writeEntity sets it no more: a merge cannot remove a property. Use replace, or let writeEntity give it a value.`
  return new PropertyValueError({ property, type, message })
}

/** The error of a merge of a part that the class could not write when it was read. */
function partUnknown(title: string): ProjectedEntityError {
  const message = `This ${title} was read with select, and its writeEntity cannot write that part, so nobody knows what changed. Read the entity whole first.`
  return new ProjectedEntityError({ message })
}
