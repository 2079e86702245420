declare const PROJECTION: unique symbol

/**
 * Marks, for the compiler alone, an object that is a part of an entity: it can be merged, but
 * replacing the whole entity with it would drop the properties that were not read.
 */
export interface ProjectionOf<Entity> {
  /** Never there at run time. */
  readonly [PROJECTION]?: Entity
}

/**
 * The type of an entity with only some properties read.
 *
 * PartitionKey, RowKey, Timestamp and ETag are always read with them, so that the row can be merged
 * or deleted; select the key properties too to use them in code. A selected property that the row
 * lacks is absent, as it would be without a projection.
 *
 * @example
 * ```ts
 * class Customer { lastName!: string; firstName!: string; points?: bigint; since?: Date }
 * type Row = Projection<Customer, 'lastName' | 'points'>
 * // { lastName: string; points?: bigint } and the mark of a projection
 * ```
 */
export type Projection<Entity, Selected extends PropertyKey> = Pick<
  Entity,
  Extract<keyof Entity, Selected>
> &
  ProjectionOf<Entity>

declare const RESULT: unique symbol

/** Marks, for the compiler alone, that a resolver makes the rows, whatever is selected. */
export interface Resolved<Result> {
  /** Never there at run time. */
  readonly [RESULT]: Result
}

/**
 * The type of a row when a query selects properties: a {@link Projection}, or the row as it is where
 * names are not declared or a resolver makes it.
 *
 * @example
 * ```ts
 * type R = Selection<Resolved<string>, QueryShape<Customer>, 'points'> // string
 * type A = Selection<Customer, QueryShape<Customer>, 'points'> // Projection<Customer, 'points'>
 * type B = Selection<DynamicEntity, DynamicShape, 'points'>    // DynamicEntity
 * ```
 */
export type Selection<Entity, Shape, Selected extends PropertyKey> =
  Entity extends Resolved<infer Result>
    ? Result
    : string extends keyof Shape
      ? Entity
      : Projection<Entity, Selected>
