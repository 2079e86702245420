import { checkOptions } from '@rowkey/rest'
import type { EntityTarget } from '../entity-target.ts'
import type { ChangeOptions } from '../write/batch.ts'
import type {
  DeleteOperation,
  RetrieveOperation,
  WriteKind,
  WriteOperation,
} from './entity-operation.ts'

/** Makes operations: see {@link Operation}. */
export interface OperationFactories {
  /** What {@link Table.insert} does. */
  insert<Entity extends object>(entity: Entity): WriteOperation<'insert', Entity>
  /**
   * What {@link Table.merge} does: of an entity that was read it sends what changed by then.
   *
   * @param entity - the entity, or a row of a query with `select`
   * @param options - the ETag to go by, when it is not the entity's own
   */
  merge<Entity extends object>(
    entity: Entity,
    options?: ChangeOptions,
  ): WriteOperation<'merge', Entity>
  /**
   * What {@link Table.replace} does.
   *
   * @param entity - the entity
   * @param options - the ETag to go by, when it is not the entity's own
   */
  replace<Entity extends object>(
    entity: Entity,
    options?: ChangeOptions,
  ): WriteOperation<'replace', Entity>
  /** What {@link Table.insertOrMerge} does. */
  insertOrMerge<Entity extends object>(entity: Entity): WriteOperation<'insertOrMerge', Entity>
  /** What {@link Table.insertOrReplace} does. */
  insertOrReplace<Entity extends object>(entity: Entity): WriteOperation<'insertOrReplace', Entity>
  /**
   * What {@link Table.delete} does.
   *
   * @param target - the entity, or its key
   * @param options - the ETag to go by, when it is not the entity's own
   */
  delete<const Target extends object>(
    target: Target,
    options?: ChangeOptions,
  ): DeleteOperation<Target>
  /**
   * What {@link Table.find} does: that there is no entity is no error.
   *
   * @param partitionKey - PartitionKey
   * @param rowKey - RowKey
   */
  retrieve(partitionKey: string, rowKey: string): RetrieveOperation<EntityTarget>
  /**
   * What {@link Table.find} does: that there is no entity is no error.
   *
   * @param target - the properties that the key is made of
   */
  retrieve<Target extends object>(target: Target): RetrieveOperation<Target>
}

/**
 * Operations as values: made once, kept, passed on, and executed by {@link Table.execute} as often as need
 * be, alone or several in one transaction. A value holds the entity itself, so what is written is what
 * that is when the operation is executed.
 *
 * @example
 * ```ts
 * const heartbeat = Operation.merge(worker)
 * worker.seen = new Date()
 * await workers.execute(heartbeat)
 * worker.seen = new Date()
 * await workers.execute(heartbeat) // writes the new time, by the new ETag
 * ```
 */
export const Operation: OperationFactories = Object.freeze({
  insert: <Entity extends object>(entity: Entity) => writing('insert', entity),
  merge: <Entity extends object>(entity: Entity, options?: ChangeOptions) =>
    writing('merge', entity, options),
  replace: <Entity extends object>(entity: Entity, options?: ChangeOptions) =>
    writing('replace', entity, options),
  insertOrMerge: <Entity extends object>(entity: Entity) => writing('insertOrMerge', entity),
  insertOrReplace: <Entity extends object>(entity: Entity) => writing('insertOrReplace', entity),
  delete: <Target extends object>(target: Target, options: ChangeOptions = {}) =>
    Object.freeze({ kind: 'delete', target, etag: etagIn(options, 'delete') } as const),
  retrieve: (target: object | string, rowKey?: string) => {
    // A text that stands alone is no key, which is found out where it is looked for.
    const named = rowKey === undefined ? target : [target, rowKey]
    return Object.freeze({ kind: 'retrieve', target: named } as const)
  },
}) as OperationFactories // which overloads there are, an object cannot say

function writing<Kind extends WriteKind, Entity extends object>(
  kind: Kind,
  entity: Entity,
  options: ChangeOptions = {},
): WriteOperation<Kind, Entity> {
  return Object.freeze({ kind, entity, etag: etagIn(options, kind) })
}

function etagIn(options: ChangeOptions, kind: string): string | undefined {
  checkOptions(options, ['etag'], `Operation.${kind}`)
  return options.etag
}
