import { createHash } from 'node:crypto'
import { entitiesInputError } from '../errors/codes.ts'
import type { BaseType } from '../types/base-type.ts'
import { PositiveIntegerType } from '../types/number-types.ts'
import type { Key, KeyDefinition, Mapping } from './key.ts'
import { escapeKeyText } from './key-text.ts'

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
    keyOf('StringKey', one('StringKey', properties), ([part]) => escapeKeyText(textOf(part!))),

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

/** Makes the definition of a key that is printed from its parts. */
function keyOf(
  kind: string,
  properties: readonly string[],
  print: (parts: readonly Part[]) => string,
): KeyDefinition {
  const bind = (mapping: Mapping): Key => {
    const types = properties.map((name) => typeOf(mapping, name, kind))
    const exact = (find: (name: string) => unknown) =>
      print(types.map((type) => ({ type, value: given(find(type.property), type.property, kind) })))
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
  const definition = keyOf(kind, one(kind, properties), ([part]) => print(Number(textOf(part!))))
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

function hashOf(parts: readonly Part[]): string {
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

function one(kind: string, properties: readonly string[]): readonly string[] {
  if (properties.length === 1) return some(kind, properties)
  throw invalidKey(`${kind} takes exactly one property.`)
}

function some(kind: string, properties: readonly string[]): readonly string[] {
  if (properties.length > 0 && properties.every((name) => typeof name === 'string'))
    return properties
  throw invalidKey(`${kind} takes the names of properties.`)
}

const invalidKey = (message: string) => entitiesInputError('InvalidKey', message)
