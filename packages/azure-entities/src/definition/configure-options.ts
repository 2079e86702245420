import type { KeyDefinition } from '../keys/key.ts'
import type { PropertyType } from '../types/base-type.ts'
import type { Properties } from './definition.ts'

/** The types of an entity's properties, by name. */
export type PropertyTypes = Readonly<Record<string, PropertyType<never> | PropertyType>>

/** The values of an entity, from the types of its properties. */
export type ValuesOf<Declared extends PropertyTypes> = {
  -readonly [Name in keyof Declared]: Declared[Name] extends PropertyType<infer Value>
    ? Value
    : never
}

/** The options of `Entity.configure`. */
export interface ConfigureOptions<Declared extends PropertyTypes = PropertyTypes> {
  /** The version of the properties: 1, then 2 for a class that continues version 1, and so on. */
  readonly version: number
  /** The properties and their types. */
  readonly properties: Declared
  /** How PartitionKey is made. Required in version 1; later versions may only repeat it. */
  readonly partitionKey?: KeyDefinition | undefined
  /** How RowKey is made. Required in version 1; later versions may only repeat it. */
  readonly rowKey?: KeyDefinition | undefined
  /**
   * Whether rows are signed with the `signingKey` of `setup`. Once a version has said it, later versions
   * must say it, too.
   *
   * @defaultValue `false`
   */
  readonly signEntities?: boolean | undefined
  /**
   * The names of the values that `setup` puts on every entity.
   *
   * @defaultValue `[]`
   */
  readonly context?: readonly string[] | undefined
  /**
   * Makes the properties of this version from those of the version before. Required from version 2 on. The
   * keys must come out the same.
   */
  // A method, so that programs may type the older properties.
  migrate?(item: Properties): ValuesOf<Declared>
}
