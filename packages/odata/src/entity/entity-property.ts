import { type EdmCodec, invalidValue } from '../edm/edm-codec.ts'
import { edmCodecOf, inferEdmType } from '../edm/edm-codecs.ts'
import { EDM_TYPES, type EdmType, type EdmValue, isEdmType } from '../edm/edm-type.ts'
import { odataInputError } from '../errors/codes.ts'

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
    // Without a given type, `Type` is any of them.
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

/**
 * Marks the objects of a class, and makes `instanceof` recognize those of every copy of the package: an ESM and a
 * CommonJS copy may be loaded together. Subclasses keep the usual `instanceof`.
 *
 * @param type - the class
 * @param name - the name of the mark, the same in every copy and version
 */
export function brand(type: { readonly prototype: object }, name: string): void {
  const mark = Symbol.for(name)
  Object.defineProperty(type.prototype, mark, { value: true })
  Object.defineProperty(type, Symbol.hasInstance, {
    value(this: unknown, value: unknown): boolean {
      if (this !== type) return Function.prototype[Symbol.hasInstance].call(this, value)
      return typeof value === 'object' && value !== null && mark in value
    },
  })
}
