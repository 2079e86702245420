import type { EdmCodec } from '../edm/edm-codec.ts'
import { edmCodecs } from '../edm/edm-codecs.ts'
import { type EdmType, type EdmValue, isEdmType } from '../edm/edm-type.ts'
import { inferEdmType } from '../edm/infer-edm-type.ts'
import { valueRefused } from '../edm/value-refused.ts'
import { PropertyValueError } from '../errors/property-value-error.ts'

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

  /**
   * @param type - the Edm type
   * @param value - a value that the type takes
   * @param name - the property's name, for the message
   * @throws {@link PropertyValueError} when the type cannot hold the value without loss
   */
  constructor(type: Type, value: EdmValue<Type>, name = '') {
    this.type = type
    this.value = codecOfType(type).accept(value, name)
  }

  /**
   * A value with the type that {@link inferEdmType} finds.
   *
   * @param value - a value, or a property, which is returned as it is
   * @param name - the property's name, for the message
   * @throws {@link PropertyValueError} when no Edm type holds it
   */
  static of(value: unknown, name = ''): EntityProperty {
    if (value instanceof EntityProperty) return value
    const type = inferEdmType(value)
    if (type !== undefined) return new EntityProperty(type, value as EdmValue, name)
    const takes =
      'a string, boolean, number, bigint, Date or bytes; leave a property out to store nothing, and write objects as JSON text'
    throw valueRefused('String', name, value, takes)
  }

  /** A String: up to 32,768 UTF-16 units. @throws {@link PropertyValueError} */
  static string(value: string): EntityProperty<'String'> {
    return new EntityProperty('String', value)
  }

  /** A Boolean. @throws {@link PropertyValueError} */
  static boolean(value: boolean): EntityProperty<'Boolean'> {
    return new EntityProperty('Boolean', value)
  }

  /** An Int32: a whole number of 32 bits. @throws {@link PropertyValueError} */
  static int32(value: number): EntityProperty<'Int32'> {
    return new EntityProperty('Int32', value)
  }

  /** An Int64: a bigint of 64 bits, or a safe integer. @throws {@link PropertyValueError} */
  static int64(value: bigint | number): EntityProperty<'Int64'> {
    // The codec takes safe integers too and turns them into bigints.
    return new EntityProperty('Int64', value as bigint)
  }

  /** A Double, NaN and the infinities included. @throws {@link PropertyValueError} */
  static double(value: number): EntityProperty<'Double'> {
    return new EntityProperty('Double', value)
  }

  /** A DateTime in UTC, 1601 to 9999, by 100 ns: see {@link DateTime}. @throws {@link PropertyValueError} */
  static dateTime(value: Date): EntityProperty<'DateTime'> {
    return new EntityProperty('DateTime', value)
  }

  /** A Guid: 8-4-4-4-12 digits in either case, held in lower case. @throws {@link PropertyValueError} */
  static guid(value: string): EntityProperty<'Guid'> {
    return new EntityProperty('Guid', value)
  }

  /** Binary: up to 65,536 bytes. @throws {@link PropertyValueError} */
  static binary(value: Uint8Array | ArrayBuffer | SharedArrayBuffer): EntityProperty<'Binary'> {
    // The codec takes buffers too and makes views of them.
    return new EntityProperty('Binary', value as Uint8Array)
  }

  /**
   * The value, when the property has this type.
   *
   * @param type - the type that the caller expects
   * @throws {@link PropertyValueError} when the property has another type
   */
  as<Expected extends EdmType>(type: Expected): EdmValue<Expected> {
    // The comparison is what the cast stands on.
    if ((this.type as EdmType) === type) return this.value as unknown as EdmValue<Expected>
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
    if (other.type !== this.type) return false
    const codec = codecOfType(this.type)
    return codec.writeJson(this.value) === codec.writeJson(other.value as EdmValue<Type>)
  }
}

function codecOfType<Type extends EdmType>(type: Type): EdmCodec<Type> {
  if (isEdmType(type)) return edmCodecs[type] as EdmCodec<Type>
  const message = `"${type}" is no Edm type: use one of ${Object.keys(edmCodecs).join(', ')}.`
  throw new PropertyValueError({ message, property: '', type })
}
