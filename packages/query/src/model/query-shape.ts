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
export type QueryShape<Entity> = {
  // In brackets, so that a union counts as one; `never` is a property that is always undefined.
  [Name in keyof Entity as [NonNullable<Entity[Name]>] extends [never]
    ? never
    : [NonNullable<Entity[Name]>] extends [EdmValue]
      ? Name
      : never]-?: NonNullable<Entity[Name]>
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
 * The type of a value that the service cannot read, since it is encrypted: a value of `Value` in every
 * way, except that queries cannot compare it. Any `Value` can be assigned to it.
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
