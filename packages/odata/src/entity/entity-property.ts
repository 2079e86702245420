import type { EdmCodec } from '../edm/edm-codec.ts'
import { edmCodecOf } from '../edm/edm-codecs.ts'
import { EDM_TYPES, type EdmType, type EdmValue, isEdmType } from '../edm/edm-type.ts'
import { inferEdmType } from '../edm/infer-edm-type.ts'
import { valueRefused } from '../edm/value-refused.ts'
import { PropertyValueError } from '../errors/property-value-error.ts'

const ANY_TYPE_TAKES =
  'strings, and other properties booleans, numbers, bigints, Dates and bytes; leave a property out to store nothing, and write an object as JSON text'

/**
 * A value with its Edm type: what a {@link DynamicEntity} holds under each name.
 *
 * It never changes; to change a property, set another one.
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
  /** The value, as {@link EdmValues} says for the type. */
  readonly value: EdmValue<Type>

  private constructor(type: Type, value: EdmValue<Type>) {
    this.type = type
    this.value = value
  }

  /**
   * A value with the type given, else with the type that {@link inferEdmType} finds.
   *
   * @param value - a value; a property is returned as it is when it has the type already
   * @param type - the Edm type
   * @param name - the property's name, for the message
   * @throws {@link PropertyValueError} when the type, or any type, cannot hold the value without loss
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
    // Without a type given, `Type` is any of them.
    const found = type ?? (inferEdmType(value) as Type | undefined)
    if (found !== undefined) return new EntityProperty(found, codecOf(found).accept(value, name))
    throw valueRefused('String', name, value, ANY_TYPE_TAKES)
  }

  /**
   * A value from its parsed JSON.
   *
   * @param type - the Edm type
   * @param json - what `JSON.parse` made of the member
   * @param name - the property's name, for the message
   * @throws {@link PropertyValueError} when the JSON is no value of the type
   */
  static read<Type extends EdmType>(type: Type, json: unknown, name = ''): EntityProperty<Type> {
    return new EntityProperty(type, codecOf(type).readJson(json, name))
  }

  /** A String: up to 32,768 UTF-16 units. @throws {@link PropertyValueError} */
  static string(value: string): EntityProperty<'String'> {
    return EntityProperty.of(value, 'String')
  }

  /** A Boolean. @throws {@link PropertyValueError} */
  static boolean(value: boolean): EntityProperty<'Boolean'> {
    return EntityProperty.of(value, 'Boolean')
  }

  /** An Int32: a whole number of 32 bits. @throws {@link PropertyValueError} */
  static int32(value: number): EntityProperty<'Int32'> {
    return EntityProperty.of(value, 'Int32')
  }

  /** An Int64: a bigint of 64 bits, or a safe integer. @throws {@link PropertyValueError} */
  static int64(value: bigint | number): EntityProperty<'Int64'> {
    return EntityProperty.of(value, 'Int64')
  }

  /** A Double, NaN and the infinities included. @throws {@link PropertyValueError} */
  static double(value: number): EntityProperty<'Double'> {
    return EntityProperty.of(value, 'Double')
  }

  /** A DateTime in UTC, 1601 to 9999, by 100 ns: see {@link DateTimeValue}. @throws {@link PropertyValueError} */
  static dateTime(value: Date): EntityProperty<'DateTime'> {
    return EntityProperty.of(value, 'DateTime')
  }

  /** A Guid: 8-4-4-4-12 digits in either case, held in lower case. @throws {@link PropertyValueError} */
  static guid(value: string): EntityProperty<'Guid'> {
    return EntityProperty.of(value, 'Guid')
  }

  /** Binary: up to 65,536 bytes. @throws {@link PropertyValueError} */
  static binary(value: Uint8Array | ArrayBuffer | SharedArrayBuffer): EntityProperty<'Binary'> {
    return EntityProperty.of(value, 'Binary')
  }

  /**
   * The value, when the property has this type.
   *
   * @param type - the type that the caller expects
   * @throws {@link PropertyValueError} when the property has another type
   */
  as<Expected extends EdmType>(type: Expected): EdmValue<Expected> {
    if (hasType(this, type)) return this.value
    const message = `This property is stored as ${this.type}, not as ${type}: read it with as('${this.type}').`
    throw new PropertyValueError({ message, property: '', type })
  }

  /**
   * Whether another property has the same type and the same value: a NaN is the same as a NaN,
   * and 0 is not the same as -0.
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
  const message = `"${type}" is no Edm type: use one of ${EDM_TYPES.join(', ')}.`
  throw new PropertyValueError({ message, property: '', type })
}

function hasType<Type extends EdmType>(
  property: EntityProperty,
  type: Type,
): property is EntityProperty<Type> {
  return property.type === type
}
