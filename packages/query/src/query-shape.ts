import type { EdmValue } from '@rowkey/odata'

/**
 * The properties of an entity that a query can speak of, without `undefined` and `null`.
 *
 * Methods and values that are no Edm value are left out. Which of the rest are really stored
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

/** The {@link QueryShape} of entities that nobody declared: any name, any Edm value. */
export type DynamicShape = Record<string, EdmValue>

/** The property names of a {@link QueryShape}. */
export type PropertyOf<Shape> = keyof Shape & string
