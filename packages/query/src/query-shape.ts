import type { EdmValue } from '@rowkey/odata'

/** Keeps the name of a property whose values can be stored; drops methods, objects and arrays. */
type StoredName<Entity, Name extends keyof Entity> = [NonNullable<Entity[Name]>] extends [never]
  ? never
  : [NonNullable<Entity[Name]>] extends [EdmValue]
    ? Name
    : never

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
  [Name in keyof Entity as StoredName<Entity, Name>]-?: NonNullable<Entity[Name]>
}

/** The {@link QueryShape} of entities that nobody declared: any name, any Edm value. */
export type DynamicShape = Record<string, EdmValue>

/** The property names of a {@link QueryShape}. */
export type PropertyOf<Shape> = keyof Shape & string
