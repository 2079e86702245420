import type { EntityCodec, EntityKey } from '@rowkey/odata'
import type { ProjectionOf } from '@rowkey/query'
import {
  type Change,
  deleteEntity,
  insertEntity,
  insertOrMergeEntity,
  insertOrReplaceEntity,
  mergeEntity,
  retrieveEntity,
  updateEntity,
  type WriteResult,
} from '@rowkey/rest'
import { checkAllRead, checkSameKey, checkWhole } from './check-loaded.ts'
import type { EntityChange } from './entity-change.ts'
import { type EntityTarget, targetKey } from './entity-target.ts'
import { requireEtag } from './require-etag.ts'
import { doubtWhileUnderWay, WriteUnderWay } from './write-under-way.ts'

/** Makes the writes of one table from its entities; Table and Batch send them. */
export class EntityChanges<Entity extends object> {
  /** The table's name. */
  readonly table: string
  readonly #codec: EntityCodec<Entity>

  constructor(table: string, codec: EntityCodec<Entity>) {
    this.table = table
    this.#codec = codec
  }

  /** The whole entity, where there is none yet; with `echo` the service says what it stored. */
  insert(entity: Entity, echo = false): EntityChange<Entity> {
    const change = this.#whole(insertEntity, entity)
    return echo ? { ...change, input: { ...change.input, echo } } : change
  }

  /** The whole entity, in the place of whatever is there. */
  insertOrReplace(entity: Entity): EntityChange<Entity> {
    const change = this.#whole(insertOrReplaceEntity, entity)
    checkWhole(this.#codec, entity, 'insertOrReplace')
    return change
  }

  /** The whole entity, merged into whatever is there. */
  insertOrMerge(entity: Entity): EntityChange<Entity> {
    this.#codec.checkMerge?.(entity, undefined)
    const body = this.#codec.writeShown?.(entity) ?? this.#codec.write(entity)
    const key = this.#codec.keyOf(entity)
    const input = { table: this.table, key, body }
    return { operation: insertOrMergeEntity, input, entity, sent: { body, whole: false } }
  }

  /** The whole entity, in the place of the one that has the ETag. */
  replace(entity: Entity, etag: string | undefined): EntityChange<Entity> {
    const body = this.#codec.write(entity)
    const key = this.#codec.keyOf(entity)
    checkWhole(this.#codec, entity, 'replace')
    checkSameKey(this.#codec.storedKeyOf(entity), key, 'replace')
    if (etag === undefined) checkAllRead(this.#codec, entity, 'replace')
    const input = { table: this.table, key, body, etag: this.#condition('replace', entity, etag) }
    return { operation: updateEntity, input, entity, sent: { body, whole: true } }
  }

  /** The merge of what changed since the entity was read; `undefined` when nothing did. */
  merge(
    row: Entity | ProjectionOf<Entity>,
    etag: string | undefined,
  ): EntityChange<Entity> | undefined {
    const entity = toEntity(row)
    const key = this.#codec.keyOf(entity)
    checkSameKey(this.#codec.storedKeyOf(entity), key, 'merge')
    doubtWhileUnderWay(this.#codec, entity)
    const body = this.#codec.writeChanges(entity)
    if (body === undefined) return undefined
    const change = this.#merge(entity, key, body, etag)
    this.#codec.checkMerge?.(entity, change.input.etag)
    return change
  }

  /**
   * What makes the stored entity what the object is now; `undefined` when it is. A merge cannot remove a
   * property, so when one is gone the whole entity is put in the place of the one that has the ETag.
   */
  modification(entity: Entity, etag: string | undefined): EntityChange<Entity> | undefined {
    return this.#codec.lacksStored(entity) ? this.replace(entity, etag) : this.merge(entity, etag)
  }

  /** As {@link EntityChanges.merge}, but when nothing changed the key is sent alone. */
  mergeAlways(row: Entity | ProjectionOf<Entity>, etag: string | undefined): EntityChange<Entity> {
    const entity = toEntity(row)
    const key = this.#codec.keyOf(entity)
    const keyAlone = JSON.stringify({ PartitionKey: key.partitionKey, RowKey: key.rowKey })
    return this.merge(entity, etag) ?? this.#merge(entity, key, keyAlone, etag)
  }

  /** An end of the entity that has the ETag. */
  delete(
    target: Entity | ProjectionOf<Entity> | EntityTarget | object,
    etag: string | undefined,
  ): EntityChange<Entity> {
    const entity = toEntity<Entity>(target)
    const key = targetKey(target, this.#codec)
    if (Array.isArray(target)) return this.#delete(key, undefined, etag)
    checkSameKey(this.#codec.storedKeyOf(entity), key, 'delete')
    return this.#delete(key, entity, etag)
  }

  /** A read; a transaction takes it only alone. */
  retrieve(target: EntityTarget | object): EntityChange<Entity> {
    const input = { table: this.table, key: targetKey(target, this.#codec), body: '' }
    return { operation: retrieveEntity, input, entity: undefined, sent: undefined }
  }

  /** The entity that a read found; `undefined` when there was none, and after a write. */
  found({ raw, etag }: WriteResult): Entity | undefined {
    return raw && this.#codec.read(raw, etag)
  }

  /** Begins to send a change; what is begun is to be told how it ended. */
  begin(change: EntityChange<Entity>): WriteUnderWay<Entity> {
    return new WriteUnderWay(this.#codec, change)
  }

  #merge(
    entity: Entity,
    key: EntityKey,
    body: string,
    etag: string | undefined,
  ): EntityChange<Entity> {
    const condition = this.#condition('merge', entity, etag)
    const sent = { body, whole: false, onto: condition === '*' ? undefined : condition }
    const input = { table: this.table, key, body, etag: condition }
    return { operation: mergeEntity, input, entity, sent }
  }

  #whole(operation: Change['operation'], entity: Entity): EntityChange<Entity> {
    const body = this.#codec.write(entity)
    // Only now: a schema may have made another key of the values.
    const key = this.#codec.keyOf(entity)
    const sent = { body, whole: true }
    return { operation, input: { table: this.table, key, body }, entity, sent }
  }

  #delete(
    key: EntityKey,
    entity: Entity | undefined,
    etag: string | undefined,
  ): EntityChange<Entity> {
    const input = {
      table: this.table,
      key,
      body: '',
      etag: this.#condition('delete', entity, etag),
    }
    return { operation: deleteEntity, input, entity, sent: undefined }
  }

  /** The ETag to go by. An object that is only a key carries none, and is asked in vain. */
  #condition(method: string, entity: Entity | undefined, given: string | undefined): string {
    if (given !== undefined) return given
    const carried = entity && this.#codec.etagOf(entity)
    return requireEtag(carried, `${method} in table ${this.table}`)
  }
}

/** A row of a query with `select` is an entity too, with some of its members unread. */
function toEntity<Entity>(row: Entity | ProjectionOf<Entity> | EntityTarget | object): Entity {
  return row as Entity
}
