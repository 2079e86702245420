import type { EntityCodec, EntityKey } from '@rowkey/odata'
import type { ProjectionOf } from '@rowkey/query'
import {
  type Change,
  deleteEntity,
  insertEntity,
  insertOrMergeEntity,
  insertOrReplaceEntity,
  mergeEntity,
  updateEntity,
  type WriteResult,
} from '@rowkey/rest'
import { keepLoadedState, loadedState } from '../codec/loaded-state.ts'
import { checkSameKey, checkWhole } from './check-loaded.ts'
import type { EntityChange } from './entity-change.ts'
import { type EntityTarget, isEntityTarget, toEntityKey } from './entity-target.ts'
import { requireEtag } from './require-etag.ts'

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
    checkWhole(entity, 'insertOrReplace')
    return change
  }

  /** The whole entity, merged into whatever is there. */
  insertOrMerge(entity: Entity): EntityChange<Entity> {
    return { ...this.#whole(insertOrMergeEntity, entity), whole: false }
  }

  /** The whole entity, in the place of the one that has the ETag. */
  replace(entity: Entity, etag: string | undefined): EntityChange<Entity> {
    const change = this.#whole(updateEntity, entity)
    checkWhole(entity, 'replace')
    checkSameKey(entity, change.input.key, 'replace')
    return this.#conditional(change, 'replace', etag ?? this.#codec.etagOf(entity))
  }

  /** The merge of what changed since the entity was read; `undefined` when nothing did. */
  merge(
    row: Entity | ProjectionOf<Entity>,
    etag: string | undefined,
  ): EntityChange<Entity> | undefined {
    const entity = toEntity(row)
    const key = this.#codec.keyOf(entity)
    checkSameKey(entity, key, 'merge')
    const body = this.#codec.writeChanges(entity)
    return body === undefined ? undefined : this.#merge(entity, key, body, etag)
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
    target: Entity | ProjectionOf<Entity> | EntityTarget,
    etag: string | undefined,
  ): EntityChange<Entity> {
    const entity = toEntity<Entity>(target)
    const key = isEntityTarget(target) ? toEntityKey(target) : this.#codec.keyOf(entity)
    const change = this.#change(deleteEntity, key, '', undefined)
    if (Array.isArray(target)) return this.#conditional(change, 'delete', etag)
    checkSameKey(entity, key, 'delete')
    // An object that is only a key carries no ETag, and is asked in vain.
    return this.#conditional(change, 'delete', etag ?? this.#codec.etagOf(entity))
  }

  /** Tells the written object the outcome. */
  written({ entity, input: { body }, whole }: EntityChange<Entity>, { etag }: WriteResult): void {
    if (entity === undefined) return
    this.#codec.written(entity, etag, { body, whole })
    if (whole && loadedState(entity)?.projected) {
      keepLoadedState(entity, { raw: body, etag, projected: false })
    }
  }

  /** Tells the object of a write that failed, when the service may have done it all the same. */
  failed({ entity, input: { body }, whole }: EntityChange<Entity>, error: unknown): void {
    const { mayHaveApplied } = Object(error) as { readonly mayHaveApplied?: unknown }
    if (entity !== undefined && mayHaveApplied === true) this.#codec.forget(entity, { body, whole })
  }

  #merge(
    entity: Entity,
    key: EntityKey,
    body: string,
    etag: string | undefined,
  ): EntityChange<Entity> {
    const change = { ...this.#change(mergeEntity, key, body, entity), whole: false }
    return this.#conditional(change, 'merge', etag ?? this.#codec.etagOf(entity))
  }

  #whole(operation: Change['operation'], entity: Entity): EntityChange<Entity> {
    return this.#change(operation, this.#codec.keyOf(entity), this.#codec.write(entity), entity)
  }

  #change(
    operation: Change['operation'],
    key: EntityKey,
    body: string,
    entity: Entity | undefined,
  ): EntityChange<Entity> {
    return { operation, input: { table: this.table, key, body }, entity, whole: true }
  }

  #conditional(
    change: EntityChange<Entity>,
    method: string,
    carried: string | undefined,
  ): EntityChange<Entity> {
    const etag = requireEtag(carried, `${method} in table ${this.table}`)
    return { ...change, input: { ...change.input, etag } }
  }
}

/** A row of a query with `select` is an entity too, with some of its members unread. */
function toEntity<Entity>(row: Entity | ProjectionOf<Entity> | EntityTarget): Entity {
  return row as Entity
}
