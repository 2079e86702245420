import type { BaseType, Operator } from '../types/base-type.ts'

/** The types of all properties, by name. */
export type Mapping = Readonly<Record<string, BaseType>>

/** The conditions of a query, by property; each is an operator. */
export type KeyConditions = ReadonlyMap<string, Operator>

/** Makes PartitionKey or RowKey of an entity's properties. */
export interface Key {
  /** The properties that the key consists of. */
  readonly covers: readonly string[]
  /**
   * Makes the key.
   *
   * @param properties - the values, by property
   * @throws InputError (`MissingKeyProperty`) when one is missing
   */
  exact(properties: Readonly<Record<string, unknown>>): string
  /**
   * Makes the key of a query whose conditions say that every part is equal to a value.
   *
   * @param conditions - the conditions
   * @throws InputError (`MissingKeyProperty`) for a part without a value
   */
  exactFromConditions(conditions: KeyConditions): string
}

/** A key as it is declared: made by a function of `Entity.keys`. */
export interface KeyDefinition {
  /** The name of its kind, such as `StringKey`. */
  readonly kind: string
  /** The names of its properties, or the constant of a ConstantKey. */
  readonly parts: readonly string[]
  /**
   * Makes the key of a configured class.
   *
   * @param mapping - the types of its properties
   * @throws InputError (`InvalidKey`) when the key cannot be made of its properties
   */
  bind(mapping: Mapping): Key
}
