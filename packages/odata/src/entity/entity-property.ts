import { type EdmCodec, invalidValue } from '../edm/edm-codec.ts'
import { edmCodecOf, inferEdmType, isWellFormed } from '../edm/edm-codecs.ts'
import { EDM_TYPES, type EdmType, type EdmValue, isEdmType } from '../edm/edm-type.ts'
import { brand } from '../errors/brand.ts'
import { odataInputError } from '../errors/codes.ts'
import { describeKind } from '../errors/describe-kind.ts'
import type { InputError } from '../errors/input-error.ts'

/** The most UTF-16 units a property name has. */
export const MAX_NAME_UNITS = 255

/** A C# identifier: a letter or `_` first, then letters, digits, marks, connectors and joiners. */
const NAME = /^[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}\p{Cf}]*$/u

/** Rejects an invalid property name: {@link checkCustomPropertyName}, or {@link checkPropertyText}. */
export type PropertyNameCheck = (name: unknown) => void

/** Valid names are kept, since they recur with every entity; this many at most. */
const KEPT_NAMES = 1_000
const passed = new Set<unknown>()

/**
 * The properties that every entity has: PartitionKey and RowKey are its key, and the service writes
 * Timestamp.
 */
export const systemPropertyNames: ReadonlySet<string> = new Set([
  'PartitionKey',
  'RowKey',
  'Timestamp',
])

/**
 * Rejects a name that the service does not accept for a property. It accepts system properties.
 *
 * Names are case-sensitive and have at most 255 UTF-16 units.
 *
 * @param name - the stored name
 * @throws `InputError` (`InvalidPropertyName`)
 *
 * @example
 * ```ts
 * checkPropertyName('größe') // fine
 * checkPropertyName('first-name') // throws
 * ```
 */
export function checkPropertyName(name: unknown): asserts name is string {
  if (passed.has(name)) return
  if (typeof name !== 'string') throw notAString(name)
  if (name.length > MAX_NAME_UNITS) {
    const shown = JSON.stringify(`${name.slice(0, 32)}…`)
    throw invalidName(
      name,
      `The property name ${shown} has ${name.length} UTF-16 units; the limit is ${MAX_NAME_UNITS}.`,
    )
  }
  if (!NAME.test(name)) {
    throw invalid(name, 'it must be a letter or "_" with letters, digits and "_" after it')
  }
  if (passed.size >= KEPT_NAMES) passed.clear()
  passed.add(name)
}

/**
 * Rejects what {@link checkPropertyName} does, and the names of {@link systemPropertyNames}.
 *
 * @param name - the name of a property that the caller wants to store
 * @throws `InputError` (`InvalidPropertyName`)
 */
export function checkCustomPropertyName(name: unknown): asserts name is string {
  checkPropertyName(name)
  rejectSystemName(name)
}

/**
 * Rejects a name that no request can carry, and leaves all other rules to the service. A name must be a
 * string without a lone surrogate, not one of {@link systemPropertyNames}, and not an annotation of the
 * protocol, such as `odata.etag` and `age@odata.type`.
 *
 * @param name - the name of a property that the caller wants to store
 * @throws `InputError` (`InvalidPropertyName`)
 *
 * @example
 * ```ts
 * checkPropertyText('first-name') // fine here; the service may reject it
 * checkPropertyText('age@odata.type') // throws
 * ```
 */
export function checkPropertyText(name: unknown): asserts name is string {
  if (!passed.has(name)) checkCarried(name)
  rejectSystemName(name)
}

/** How an annotation of the whole entity begins, such as `odata.etag`. */
const ENTITY_ANNOTATION = 'odata.'
/** How the last part of an annotation of one property begins, such as `age@odata.type`. */
const PROPERTY_ANNOTATION = '@odata.'

/**
 * Tells whether a member of entity JSON is an annotation of the protocol: it begins with `odata.`, or
 * ends in `@odata.` and a word. Every other member is a property, also with a dot or a colon in its name.
 *
 * @param member - the name of the member
 *
 * @example
 * ```ts
 * isAnnotation('odata.etag') // true
 * isAnnotation('age@odata.type') // true
 * isAnnotation('sensor.odata.count') // false
 * ```
 */
export function isAnnotation(member: string): boolean {
  if (member.startsWith(ENTITY_ANNOTATION)) return true
  const at = member.lastIndexOf('@')
  return at >= 0 && member.startsWith(PROPERTY_ANNOTATION, at)
}

/**
 * Returns the name of the member that gives the type of a property: `name@odata.type`.
 *
 * @param name - the stored name of the property
 */
export function annotationName(name: string): string {
  return `${name}@odata.type`
}

function checkCarried(name: unknown): void {
  if (typeof name !== 'string') throw notAString(name)
  if (isAnnotation(name)) {
    throw invalid(
      name,
      'the protocol reserves "odata.…" and "…@odata.…" for annotations. Choose another name',
    )
  }
  if (!isWellFormed(name)) {
    throw invalid(name, 'it contains half of a surrogate pair, which UTF-8 cannot carry')
  }
}

function rejectSystemName(name: unknown): void {
  if (typeof name !== 'string' || !systemPropertyNames.has(name)) return
  throw invalidName(
    name,
    `"${name}" is a system property, which every entity has. Choose another name.`,
  )
}

function notAString(name: unknown): InputError {
  return invalidName('', `A property name must be a string; got ${describeKind(name)}.`)
}

function invalid(name: string, reason: string): InputError {
  return invalidName(name, `${JSON.stringify(name)} is not a valid property name: ${reason}.`)
}

function invalidName(property: string, message: string): InputError {
  return odataInputError('InvalidPropertyName', message, { property })
}

const STORABLE =
  'a string, boolean, number, bigint, Date or bytes; leave the property out to store nothing, and write an object as JSON text'

/**
 * A value with its Edm type, as a `DynamicEntity` has one under each name.
 *
 * It is immutable; to change a property, set another one.
 *
 * @example
 * ```ts
 * entity.set('price', EntityProperty.double(3)) // stays a Double, though 3 is whole
 * entity.get('price')?.as('Double') // 3
 * ```
 */
export class EntityProperty<Type extends EdmType = EdmType> {
  /** The Edm type, without `Edm.`. */
  readonly type: Type
  /** The value: `EdmValues` lists the JavaScript type of each Edm type. */
  readonly value: EdmValue<Type>

  static {
    brand(EntityProperty, 'rowkey.entityProperty')
  }

  private constructor(type: Type, value: EdmValue<Type>) {
    this.type = type
    this.value = value
  }

  /**
   * Makes a property of a value. Without a type, it uses the type that `inferEdmType` finds.
   *
   * @param value - a value; a property is returned as it is when it has the type already
   * @param type - the Edm type
   * @param name - the property's name, for the message
   * @throws `InputError` (`InvalidPropertyValue`) when the type, or any type, cannot hold the value
   * without loss
   */
  static of<Type extends EdmType = EdmType>(
    value: unknown,
    type?: Type,
    name = '',
  ): EntityProperty<Type> {
    if (value instanceof EntityProperty) {
      if (type === undefined || type === value.type) return value
      return EntityProperty.of(value.value, type, name)
    }
    // By default, `Type` is any of them.
    const found = type ?? (inferEdmType(value) as Type | undefined)
    if (found !== undefined) return new EntityProperty(found, codecOf(found).accept(value, name))
    throw invalidValue(undefined, name, value, STORABLE)
  }

  /**
   * Reads a property from its parsed JSON.
   *
   * @param type - the Edm type
   * @param json - the member as `JSON.parse` returns it
   * @param name - the property's name, for the message
   * @throws {@link DecodeError} (`UnreadableProperty`) when the JSON is not a value of the type
   */
  static read<Type extends EdmType>(type: Type, json: unknown, name = ''): EntityProperty<Type> {
    return new EntityProperty(type, codecOf(type).readJson(json, name))
  }

  /** Makes a String: up to 32,768 UTF-16 units. @throws `InputError` (`InvalidPropertyValue`) */
  static string(value: string): EntityProperty<'String'> {
    return EntityProperty.of(value, 'String')
  }

  /** Makes a Boolean. @throws `InputError` (`InvalidPropertyValue`) */
  static boolean(value: boolean): EntityProperty<'Boolean'> {
    return EntityProperty.of(value, 'Boolean')
  }

  /** Makes an Int32: a whole number of 32 bits. @throws `InputError` (`InvalidPropertyValue`) */
  static int32(value: number): EntityProperty<'Int32'> {
    return EntityProperty.of(value, 'Int32')
  }

  /**
   * Makes an Int64: a bigint of 64 bits, or a safe integer. @throws `InputError`
   * (`InvalidPropertyValue`)
   */
  static int64(value: bigint | number): EntityProperty<'Int64'> {
    return EntityProperty.of(value, 'Int64')
  }

  /**
   * Makes a Double, NaN and the infinities included. @throws `InputError`
   * (`InvalidPropertyValue`)
   */
  static double(value: number): EntityProperty<'Double'> {
    return EntityProperty.of(value, 'Double')
  }

  /**
   * Makes a DateTime in UTC, 1601 to 9999, in steps of 100 ns. @throws `InputError`
   * (`InvalidPropertyValue`)
   */
  static dateTime(value: Date): EntityProperty<'DateTime'> {
    return EntityProperty.of(value, 'DateTime')
  }

  /**
   * Makes a Guid: 8-4-4-4-12 digits in either case, held in lower case. @throws `InputError`
   * (`InvalidPropertyValue`)
   */
  static guid(value: string): EntityProperty<'Guid'> {
    return EntityProperty.of(value, 'Guid')
  }

  /** Makes a Binary: up to 65,536 bytes. @throws `InputError` (`InvalidPropertyValue`) */
  static binary(value: Uint8Array | ArrayBuffer | SharedArrayBuffer): EntityProperty<'Binary'> {
    return EntityProperty.of(value, 'Binary')
  }

  /**
   * Returns the value, when the property has this type.
   *
   * @param type - the type that the caller expects
   * @throws `InputError` (`InvalidPropertyValue`) when the property has another type
   */
  as<Expected extends EdmType>(type: Expected): EdmValue<Expected> {
    if (hasType(this, type)) return this.value
    const message = `The property is stored as ${this.type}, not as ${type}. Read it with as('${this.type}').`
    throw odataInputError('InvalidPropertyValue', message, { property: '', type })
  }

  /**
   * Tells whether another property has the same type and the same value: a NaN equals a NaN, and 0 does
   * not equal -0.
   *
   * @param other - the other property
   */
  equals(other: EntityProperty): boolean {
    if (!hasType(other, this.type)) return false
    const codec = codecOf(this.type)
    return codec.writeJson(this.value) === codec.writeJson(other.value)
  }
}

function codecOf<Type extends EdmType>(type: Type): EdmCodec<Type> {
  if (isEdmType(type)) return edmCodecOf(type)
  const message = `"${type}" is not an Edm type. Use one of ${EDM_TYPES.join(', ')}.`
  throw odataInputError('InvalidPropertyValue', message, { property: '', type })
}

function hasType<Type extends EdmType>(
  property: EntityProperty,
  type: Type,
): property is EntityProperty<Type> {
  return property.type === type
}
