import { createHash } from 'node:crypto'
import { isWellFormed } from '@rowkey/odata'
import { entitiesInputError } from '../errors/codes.ts'
import type { BaseType, Operator } from '../types/base-type.ts'
import { PositiveIntegerType } from '../types/value-types.ts'

/**
 * Escapes a text so that a key can hold it, and so that it sorts before any longer text with the same
 * beginning: ASCII letters, digits and `'()*-_.` stay, every other byte of its UTF-8 becomes `!XX`. An
 * empty text becomes `!`.
 *
 * @param text - the text
 * @throws InputError (`InvalidValue`) for half of a surrogate pair
 *
 * @example
 * ```ts
 * escapeKeyText('a/b~c') // 'a!2Fb!7ec'
 * ```
 */
function escapeKeyText(text: string): string {
  if (text === '') return '!'
  if (!isWellFormed(text)) {
    throw entitiesInputError('InvalidValue', 'A key cannot contain half of a surrogate pair.')
  }
  return encodeURIComponent(text).replaceAll('!', '%21').replaceAll('~', '%7e').replaceAll('%', '!')
}

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

/** The kinds of keys: `Entity.keys`. */
export interface Keys {
  /** One property as text. */
  StringKey(property: string): KeyDefinition
  /** The same text for every entity. */
  ConstantKey(constant: string): KeyDefinition
  /** Several properties as text. */
  CompositeKey(...properties: string[]): KeyDefinition
  /** The SHA-512 of several properties, for values that are long or are not text. */
  HashKey(...properties: string[]): KeyDefinition
  /** A PositiveInteger, so that rows are in ascending order of it. */
  AscendingIntegerKey(property: string): KeyDefinition
  /** A PositiveInteger, so that rows are in descending order of it: the largest comes first. */
  DescendingIntegerKey(property: string): KeyDefinition
}

/** The value of a part and the type that prints it. */
interface Part {
  readonly type: BaseType
  readonly value: unknown
}

/** The kinds of keys: see {@link Keys}. */
export const keys: Keys = Object.freeze({
  StringKey: (...properties: string[]) =>
    keyOf('StringKey', one('StringKey', properties), ([part]) => escapeKeyText(textOf(part))),

  ConstantKey(constant: string): KeyDefinition {
    if (typeof constant !== 'string') throw invalidKey('ConstantKey takes a string.')
    const key = escapeKeyText(constant)
    const bound: Key = { covers: [], exact: () => key, exactFromConditions: () => key }
    return { kind: 'ConstantKey', parts: [constant], bind: () => bound }
  },

  CompositeKey: (...properties: string[]) =>
    keyOf('CompositeKey', some('CompositeKey', properties), (parts) =>
      parts.map((part) => escapeKeyText(textOf(part))).join('~'),
    ),

  HashKey: (...properties: string[]) => keyOf('HashKey', some('HashKey', properties), hashOf),

  AscendingIntegerKey: (...properties: string[]) =>
    integerKey('AscendingIntegerKey', properties, (value) => String(value).padStart(11, '0')),

  DescendingIntegerKey: (...properties: string[]) =>
    integerKey('DescendingIntegerKey', properties, (value) => String(9_999_999_999 - value)),
})

/** The names of one or more properties, and their parts. */
type Names = readonly [string, ...string[]]
type Parts = readonly [Part, ...Part[]]

/** Makes the definition of a key that is printed from its parts. */
function keyOf(kind: string, properties: Names, print: (parts: Parts) => string): KeyDefinition {
  const [first, ...rest] = properties
  const bind = (mapping: Mapping): Key => {
    const typed = (name: string) => typeOf(mapping, name, kind)
    const [firstType, restTypes] = [typed(first), rest.map(typed)]
    const exact = (find: (name: string) => unknown) => {
      const partOf = (type: BaseType): Part => {
        return { type, value: given(find(type.property), type.property, kind) }
      }
      return print([partOf(firstType), ...restTypes.map(partOf)])
    }
    return {
      covers: properties,
      exact: (values) => exact((name) => values[name]),
      exactFromConditions: (conditions) =>
        exact((name) => {
          const condition = conditions.get(name)
          return condition?.operator === 'eq' ? condition.operand : undefined
        }),
    }
  }
  return { kind, parts: properties, bind }
}

function integerKey(
  kind: string,
  properties: readonly string[],
  print: (value: number) => string,
): KeyDefinition {
  const definition = keyOf(kind, one(kind, properties), ([part]) => print(Number(textOf(part))))
  return {
    ...definition,
    bind(mapping) {
      const [property = ''] = properties
      if (typeOf(mapping, property, kind) instanceof PositiveIntegerType)
        return definition.bind(mapping)
      throw invalidKey(`${kind}: property "${property}" must have the type PositiveInteger.`)
    },
  }
}

const textOf = ({ type, value }: Part): string => type.string(value)

function hashOf(parts: Parts): string {
  const hash = createHash('sha512')
  for (const [index, { type, value }] of parts.entries()) {
    if (index > 0) hash.update(':')
    hash.update(type.hash(value))
  }
  return hash.digest('hex')
}

function typeOf(mapping: Mapping, property: string, kind: string): BaseType {
  const type = mapping[property]
  if (type !== undefined) return type
  throw invalidKey(`${kind}: property "${property}" is not declared. Add it to properties.`)
}

function given(value: unknown, property: string, kind: string): unknown {
  if (value !== undefined) return value
  throw entitiesInputError(
    'MissingKeyProperty',
    `Unable to create the ${kind} from the properties: "${property}" has no value. Give every property of the key, in conditions with equal.`,
    property,
  )
}

function one(kind: string, properties: readonly string[]): Names {
  if (properties.length === 1) return some(kind, properties)
  throw invalidKey(`${kind} takes exactly one property.`)
}

function some(kind: string, properties: readonly string[]): Names {
  const [first, ...rest] = properties
  if (first !== undefined && properties.every((name) => typeof name === 'string')) {
    return [first, ...rest]
  }
  throw invalidKey(`${kind} takes the names of properties.`)
}

const invalidKey = (message: string) => entitiesInputError('InvalidKey', message)
