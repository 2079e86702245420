import { DynamicEntity, dynamicEntityCodec, type RawEntity } from '@rowkey/odata'
import { DelegatingCodec } from '../codec/delegating-codec.ts'
import { keepLoadedState, loadedRaw, loadedState } from '../codec/loaded-state.ts'
import { ModelError } from '../errors/model-error.ts'
import type { SelfMapped } from './self-mapped.ts'

/** A codec of a class that says itself how its entities are stored; another one does key and ETag. */
export class SelfMappedCodec<Entity extends SelfMapped> extends DelegatingCodec<Entity> {
  override write(entity: Entity): string {
    return dynamicEntityCodec.write(this.#stored(entity))
  }

  override writeChanges(entity: Entity): string | undefined {
    const stored = this.#stored(entity)
    const raw = loadedRaw(entity)
    const isDoubtful = (loadedState(entity)?.doubtful?.size ?? 0) > 0
    if (raw === undefined || isDoubtful) return dynamicEntityCodec.write(stored)
    const known = dynamicEntityCodec.read(raw)
    known.properties.clear()
    for (const [name, property] of stored.properties) known.properties.set(name, property)
    return dynamicEntityCodec.writeChanges(known)
  }

  override read(raw: RawEntity, etag?: string): Entity {
    return this.#read(this.codec.read(systemPart(raw), etag), raw)
  }

  override readPart(raw: RawEntity, etag?: string): Entity {
    return this.#read(this.codec.readPart(systemPart(raw), etag), raw)
  }

  #read(entity: Entity, raw: RawEntity): Entity {
    const state = loadedState(entity)
    entity.readEntity(dynamicEntityCodec.read(raw, state?.etag))
    if (state !== undefined) keepLoadedState(entity, { ...state, raw, defaults: undefined })
    return entity
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
