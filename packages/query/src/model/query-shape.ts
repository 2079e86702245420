import type { EdmValue } from '@rowkey/odata'

/**
 * The properties of an entity that a query can use, without `undefined` and `null`.
 *
 * Methods and values that are not Edm values are left out. Which of the rest are really stored
 * (`@Ignore`, ETag) is known at run time.
 *
 * @example
 * ```ts
 * class Person { name = ''; born?: Date; points?: bigint; greet() {} }
 * type Shape = QueryShape<Person> // { name: string; born: Date; points: bigint }
 * ```
 */
export type QueryShape<Entity> = StorableMembers<Entity, StorableName<Entity>>

/**
 * The names of the members of an entity that have an Edm value.
 *
 * @example
 * ```ts
 * type A = StorableName<{ name: string; born?: Date; greet(): void }> // 'name' | 'born'
 * ```
 */
export type StorableName<Entity, Names extends keyof Entity = keyof Entity> = {
  [Name in Names]-?: Entity[Name] extends null | undefined // always absent
    ? never
    : Entity[Name] extends EdmValue | null | undefined
      ? Name
      : never
}[Names]

/**
 * Some members of an entity, without `undefined` and `null`.
 *
 * @example
 * ```ts
 * type A = StorableMembers<{ name: string; born?: Date }, 'born'> // { born: Date }
 * ```
 */
export type StorableMembers<Entity, Names extends keyof Entity> = {
  [Name in Names]-?: NonNullable<Entity[Name]>
}

/** The {@link QueryShape} of entities without a declaration: any name, any Edm value. */
export type DynamicShape = Record<string, EdmValue>

/** The property names of a {@link QueryShape}. */
export type PropertyOf<Shape> = keyof Shape & string

declare const SECRET: unique symbol

/** Marks a {@link Secret} for the compiler. */
export interface SecretMark {
  /** Never there at run time. */
  readonly [SECRET]?: never
}

/**
 * The type of a value that the service cannot read, since it is encrypted. It is a `Value`, except that
 * queries cannot compare it. Any `Value` can be assigned to it.
 *
 * @example
 * ```ts
 * class Customer { ssn?: Secret<string> }
 * const ssn: string | undefined = customer.ssn   // fine
 * customer.ssn = '123-45-6789'                   // fine
 * customers.query().where({ ssn: '123' })        // does not compile
 * ```
 */
export type Secret<Value> = Value & SecretMark

/**
 * Tells whether a type is a {@link Secret}.
 *
 * @example
 * ```ts
 * type A = IsSecret<Secret<string>> // true
 * type B = IsSecret<string>         // false
 * ```
 */
export type IsSecret<Value> = keyof SecretMark extends keyof Value ? true : false

declare const PROJECTION: unique symbol

/**
 * Marks, for the compiler alone, an object that is a part of an entity. It can be merged, but replacing the
 * whole entity with it would drop the properties that were not read.
 */
export interface ProjectionOf<Entity> {
  /** Never there at run time. */
  readonly [PROJECTION]?: Entity
}

/**
 * The type of an entity with only some properties read.
 *
 * PartitionKey, RowKey, Timestamp and ETag are always read with them, so that the row can be merged or
 * deleted. Select the key properties too to use them in code. A selected property that the row lacks is
 * absent, as it would be without a projection.
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
  keyof Entity & Selected
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
