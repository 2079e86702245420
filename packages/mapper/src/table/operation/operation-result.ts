import type { MemberEntity, UnionMember } from '../../model/entity-of.ts'
import type { RetrieveOperation, WriteKind, WriteOperation } from './entity-operation.ts'

/** What came of an operation. */
export interface OperationResult<Found> {
  /** The entity's ETag by now; `undefined` after a delete, and when there is no entity. */
  readonly etag: string | undefined
  /** The object that was written, or the entity that was read; `undefined` when there is none. */
  readonly entity: Found
}

/**
 * What comes of an operation on a table of such entities.
 *
 * @example
 * ```ts
 * // on a table of Customer
 * type A = ResultOf<WriteOperation<'merge', Customer>, Customer> // OperationResult<Customer>
 * type B = ResultOf<RetrieveOperation, Customer> // OperationResult<Customer | undefined>
 * type C = ResultOf<DeleteOperation, Customer> // OperationResult<undefined>
 * ```
 */
export type ResultOf<Operation, Entity> =
  Operation extends WriteOperation<WriteKind, infer Written, UnionMember | undefined>
    ? OperationResult<Written>
    : Operation extends RetrieveOperation<object, infer Type>
      ? OperationResult<(Type extends UnionMember ? MemberEntity<Type> : Entity) | undefined>
      : OperationResult<undefined>

/**
 * What comes of several operations, each in its place.
 *
 * @example
 * ```ts
 * // of [Operation.insert(jeff), Operation.delete(ben)]
 * type A = ResultsOf<typeof operations, Customer>
 * // readonly [OperationResult<Customer>, OperationResult<undefined>]
 * ```
 */
export type ResultsOf<Operations extends readonly unknown[], Entity> = {
  readonly [Index in keyof Operations]: ResultOf<Operations[Index], Entity>
}
