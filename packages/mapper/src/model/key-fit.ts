import type {
  SchemaGiven,
  SchemaOutput,
  StandardSchema,
} from '../standard-schema/standard-schema.ts'

/**
 * The sentences that the compiler shows for the parts of a key that do not fit the properties they name; `never`
 * when every part fits.
 *
 * @example
 * ```ts
 * type A = KeyProblem<{ state: string }, { state: string }, 'class'> // never
 * type B = KeyProblem<{ stat: string }, { state: string }, 'class'>
 * // "The key template names 'stat', but the class has no property of this name"
 * ```
 */
export type KeyProblem<Values, Members, Owner extends 'class' | 'schema'> = {
  [Name in keyof Values & string]: Name extends keyof Members
    ? Members[Name] extends Values[Name]
      ? never
      : `The key template needs '${Name}' as a required ${ValueName<Values[Name]>}: declare the property so, or give the part another format, such as '${Name}:8' for numbers`
    : `The key template names '${Name}', but the ${Owner} has no property of this name`
}[keyof Values & string]

/**
 * The name of a type of key parts, for messages.
 *
 * @example
 * ```ts
 * type A = ValueName<bigint> // 'bigint'
 * ```
 */
export type ValueName<Value> = Value extends string
  ? 'string'
  : Value extends number
    ? 'number'
    : Value extends bigint
      ? 'bigint'
      : Value extends Date
        ? 'Date'
        : 'Uint8Array'

/**
 * Accepts a key template whose parts are required properties of the schema, with the types of their formats; else
 * it is the sentence that the compiler shows.
 *
 * @example
 * ```ts
 * // of z.object({ state: z.string(), no: z.number() })
 * type A = KeyFit<{ state: string }, typeof schema> // unknown
 * type B = KeyFit<{ stat: string }, typeof schema>
 * // "The key template names 'stat', but the schema has no property of this name"
 * ```
 */
export type KeyFit<Values, Schema extends StandardSchema<unknown, object>> =
  SchemaOutput<Schema> extends Values
    ? SchemaGiven<Schema> extends Values
      ? unknown
      : NoProblem<KeyProblem<Values, SchemaGiven<Schema>, 'schema'>, unknown>
    : NoProblem<KeyProblem<Values, SchemaOutput<Schema>, 'schema'>, unknown>

/**
 * A type, when no sentence says what is wrong; else the sentences.
 *
 * @example
 * ```ts
 * type A = NoProblem<never, typeof Person> // typeof Person
 * ```
 */
export type NoProblem<Problem, Type> = [Problem] extends [never] ? Type : Problem

/**
 * A class that `@Entity` can map: the class itself when it fits the options, else the sentence that the compiler
 * shows.
 *
 * @example
 * ```ts
 * type A = FittingClass<typeof Person, { state: string }, object> // typeof Person
 * ```
 */
export type FittingClass<Class, Parts, Shape> = Class extends abstract new (
  ...args: never[]
) => infer Instance
  ? Instance extends Shape
    ? Instance extends Parts
      ? Class
      : NoProblem<KeyProblem<Parts, Instance, 'class'>, Class>
    : 'The class does not have all properties of the schema, with the same types'
  : never

/**
 * A class that works without arguments and that `@Entity` can map: see {@link FittingClass}.
 *
 * @example
 * ```ts
 * type A = NewableClass<typeof Person, FittingClass<typeof Person, { state: string }, object>> // typeof Person
 * ```
 */
export type NewableClass<Class, Fitting = Class> = Class extends new () => object
  ? Fitting
  : 'The constructor needs arguments: make them optional, or use Entity({ name, create: () => … })'
