import type { ProjectionOf } from '@rowkey/query'
import type { EntityTarget } from '../entity-target.ts'

/** A write of one entity as a value, from {@link Operation}. */
export interface WriteOperation<
  Kind extends WriteKind = WriteKind,
  Entity extends object = object,
> {
  /** The method of a table that does the same. */
  readonly kind: Kind
  /** What is written, as it is when the operation is executed. */
  readonly entity: Entity
  /** The ETag to go by; `undefined` for the one that the entity carries then. */
  readonly etag: string | undefined
}

/** The ways to write an entity. */
export type WriteKind = 'insert' | 'merge' | 'replace' | 'insertOrMerge' | 'insertOrReplace'

/** A delete of one entity as a value, from {@link Operation}. */
export interface DeleteOperation<Target extends object = object> {
  /** The method of a table that does the same. */
  readonly kind: 'delete'
  /** The entity, or its key. */
  readonly target: Target
  /** The ETag to go by; `undefined` for the one that the entity carries then. */
  readonly etag: string | undefined
}

/** A read of one entity as a value, from {@link Operation}. */
export interface RetrieveOperation<Target extends object = object> {
  /** The method of a batch that does the same. */
  readonly kind: 'retrieve'
  /** The key of the entity. */
  readonly target: Target
}

/**
 * The operations that a table of such entities executes.
 *
 * @example
 * ```ts
 * // of Table<Customer>
 * const operations: TableOperation<Customer, Customer, KeyMembers<Customer>>[] = [
 *   Operation.insert(jeff),
 *   Operation.delete(['Smith', 'Ben'], { etag: '*' }),
 * ]
 * ```
 */
export type TableOperation<Entity extends object, Input extends object, Key extends object> =
  | WriteOperation<'insert', Input>
  | WriteOperation<'merge', Entity | ProjectionOf<Entity>>
  | WriteOperation<'replace' | 'insertOrMerge' | 'insertOrReplace', Entity | Input>
  | DeleteOperation<Entity | ProjectionOf<Entity> | EntityTarget | Key>
  | RetrieveOperation<EntityTarget | Key>
