import {
  comparison,
  type EdmType,
  type EdmValue,
  isWellFormed,
  literalOf,
  printFilter,
} from '@rowkey/odata'
import { entitiesDecodeError, entitiesInputError } from '../errors/codes.ts'
import { BaseType, type Operator, type Row } from './base-type.ts'
import { isSlugId, isUuid, slugIdOfUuid, uuidOfSlugId } from './slug-id-array.ts'

/**
 * A type whose values are stored in one property of the row and can be compared. A type of your own overrides
 * `validate`, or `accepts` and `expected`.
 */
export abstract class BaseValueType<Value extends EdmValue> extends BaseType<Value> {
  override readonly isOrdered: boolean = true
  override readonly isComparable: boolean = true
  /** The Edm type of a condition's value, without `Edm.`; inferred from the value when absent. */
  protected readonly edmType?: EdmType

  /** Returns the expected kind of value, for messages: `a string`. */
  protected readonly expected: string = 'a value of its type'

  /** Tells whether a value has this type. */
  protected accepts(_value: unknown): _value is Value {
    return true
  }

  /**
   * Checks the type of a value.
   *
   * @throws InputError (`InvalidValue`) for any other value
   */
  validate(value: unknown): asserts value is Value {
    if (this.accepts(value)) return
    throw entitiesInputError(
      'InvalidValue',
      `Property "${this.property}": expected ${this.expected}, got ${describe(value)}.`,
      this.property,
    )
  }

  serialize(target: Row, value: Value): void {
    this.validate(value)
    target[this.property] = this.toStored(value)
    const annotation = this.annotationOf(value)
    if (annotation !== undefined) target[`${this.property}@odata.type`] = annotation
  }

  deserialize(source: Row): Value {
    const value = this.fromStored(source[this.property])
    if (this.accepts(value)) {
      this.validate(value)
      return value
    }
    throw entitiesDecodeError(
      'UnreadableProperty',
      `Property "${this.property}": expected ${this.expected}, but the row has ${describe(value)}.`,
      { property: this.property },
    )
  }

  override equal(one: Value, other: Value): boolean {
    return one === other
  }

  override clone(value: Value): Value {
    return value
  }

  override string(value: Value): string {
    this.validate(value)
    return String(value)
  }

  override filterCondition({ operator, operand }: Operator<Value>): string {
    this.validate(operand)
    const literal = literalOf(this.toOperand(operand), this.edmType)
    return printFilter(comparison(this.property, operator, literal))
  }

  /** Returns the JSON of a value. */
  protected toStored(value: Value): unknown {
    return value
  }

  /** Returns the Edm type that the JSON alone does not show, or `undefined`. */
  protected annotationOf(_value: Value): string | undefined {
    return this.edmType && `Edm.${this.edmType}`
  }

  /** Returns the value of a stored JSON value, which may have any type. */
  protected fromStored(stored: unknown): unknown {
    return stored
  }

  /** Returns the value that a condition compares with. */
  protected toOperand(value: Value): EdmValue {
    return value
  }
}

function describe(value: unknown): string {
  if (value === undefined) return 'undefined'
  if (typeof value === 'number') return String(value)
  if (value instanceof Date) return 'an invalid date'
  return value === null ? 'null' : `a value of type ${typeof value}`
}

const MAX_STRING_UNITS = 32_768

/** Text of up to 32,768 UTF-16 units. */
export class StringType extends BaseValueType<string> {
  protected override readonly expected = 'a string'

  protected override accepts(value: unknown): value is string {
    return typeof value === 'string'
  }

  override serialize(target: Row, value: string): void {
    super.serialize(target, value)
    if (!isWellFormed(value)) {
      throw entitiesInputError(
        'InvalidValue',
        `Property "${this.property}": a String cannot hold half of a surrogate pair. Remove it with toWellFormed().`,
        this.property,
      )
    }
    if (value.length <= MAX_STRING_UNITS) return
    throw entitiesInputError(
      'PropertyTooLarge',
      `Property "${this.property}" has ${value.length} UTF-16 units; String holds ${MAX_STRING_UNITS}. Use Entity.types.Text.`,
      this.property,
    )
  }
}

/** `true` or `false`. Conditions can only test for equality. */
export class BooleanType extends BaseValueType<boolean> {
  override readonly isOrdered: boolean = false
  protected override readonly expected = 'a boolean'

  protected override accepts(value: unknown): value is boolean {
    return typeof value === 'boolean'
  }
}

/** The first and the last millisecond that the service stores. */
const FIRST_DATE = Date.UTC(1601, 0)
const LAST_DATE = Date.UTC(10_000, 0) - 1

/** A date in milliseconds, of the years 1601 to 9999. Stored digits below a millisecond are cut when it is read. */
export class DateType extends BaseValueType<Date> {
  protected override readonly edmType = 'DateTime'
  protected override readonly expected = 'a valid Date'

  protected override accepts(value: unknown): value is Date {
    return value instanceof Date && !Number.isNaN(value.getTime())
  }

  override serialize(target: Row, value: Date): void {
    super.serialize(target, value)
    if (value.getTime() >= FIRST_DATE && value.getTime() <= LAST_DATE) return
    throw entitiesInputError(
      'InvalidValue',
      `Property "${this.property}": the service stores dates of the years 1601 to 9999, not ${value.toISOString()}.`,
      this.property,
    )
  }

  override equal(one: Date, other: Date): boolean {
    return this.accepts(one) && this.accepts(other) && one.getTime() === other.getTime()
  }

  override clone(value: Date): Date {
    return this.accepts(value) ? new Date(value.getTime()) : value
  }

  override string(value: Date): string {
    this.validate(value)
    return value.toJSON()
  }

  protected override toStored(value: Date): string {
    return value.toJSON()
  }

  protected override fromStored(stored: unknown): unknown {
    return typeof stored === 'string' ? new Date(stored) : stored
  }
}

const INT32 = 2 ** 31
const INT64 = 2 ** 63

const isLargeWhole = (value: number): boolean => Number.isInteger(value) && Math.abs(value) >= INT32

const isInt64 = (value: number): boolean => isLargeWhole(value) && Math.abs(value) < INT64

/**
 * A finite number. Whole numbers below 2^31 are stored as Int32, larger ones as Int64, and all others as
 * Double. Whole numbers from 2^63 on are stored as Double, too.
 */
export class NumberType extends BaseValueType<number> {
  protected override readonly expected: string = 'a finite number'

  protected override accepts(value: unknown): value is number {
    return typeof value === 'number' && Number.isFinite(value)
  }

  protected override toStored(value: number): unknown {
    // Above 2^53 that library stores the shortest digits that stand for the number.
    return isInt64(value) ? String(value) : value
  }

  protected override toOperand(value: number): number | bigint {
    return isInt64(value) ? BigInt(String(value)) : value
  }

  protected override annotationOf(value: number): string | undefined {
    if (!isLargeWhole(value)) return undefined
    return isInt64(value) ? 'Edm.Int64' : 'Edm.Double'
  }

  protected override fromStored(stored: unknown): unknown {
    return typeof stored === 'string' && /^-?\d+$/.test(stored) ? Number(stored) : stored
  }
}

/**
 * A whole number from 0 to 2^32, for AscendingIntegerKey and DescendingIntegerKey, among others.
 */
export class PositiveIntegerType extends NumberType {
  protected override readonly expected: string = 'a whole number from 0 to 2^32'

  protected override accepts(value: unknown): value is number {
    return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 2 ** 32
  }
}

/** A UUID, stored as Guid. Keys and comparisons use it in lower case. */
export class UUIDType extends BaseValueType<string> {
  protected override readonly edmType = 'Guid'
  protected override readonly expected = 'a UUID such as f47ac10b-58cc-4372-a567-0e02b2c3d479'

  protected override accepts(value: unknown): value is string {
    return isUuid(value)
  }

  override equal(one: string, other: string): boolean {
    return isUuid(one) && isUuid(other) && one.toLowerCase() === other.toLowerCase()
  }

  /** Prints any text: programs look up keys that they were given, and find nothing. */
  override string(value: string): string {
    if (typeof value !== 'string') this.validate(value)
    return value.toLowerCase()
  }
}

/** A slugid, which is a random UUID as 22 characters, stored as Guid. */
export class SlugIdType extends BaseValueType<string> {
  protected override readonly edmType = 'Guid'
  protected override readonly expected = 'a slugid such as nvItOmAyRiOvSSWCAHkobQ'

  protected override accepts(value: unknown): value is string {
    return isSlugId(value)
  }

  protected override toStored(value: string): string {
    return uuidOfSlugId(value)
  }

  protected override toOperand(value: string): string {
    return uuidOfSlugId(value)
  }

  protected override fromStored(stored: unknown): unknown {
    return isUuid(stored) ? slugIdOfUuid(stored) : stored
  }
}
