import { isDeepStrictEqual } from 'node:util'
import type { ComparisonOperator } from '@rowkey/odata'
import { entitiesInputError } from '../errors/codes.ts'

/** A row as its JSON has it: each property by its stored name, with `<name>@odata.type` beside it. */
export type Row = Record<string, unknown>

/** One comparison of a property with a value, as the functions of `Entity.op` return it. */
export interface Operator<Value = unknown> {
  /** The operator as OData spells it: `eq`, `ne`, `lt`, `le`, `gt` or `ge`. */
  readonly operator: ComparisonOperator
  /** The value that the property is compared with. */
  readonly operand: Value
}

/**
 * Stores, compares and clones the values of one property. Every type of `Entity.types` is a class that
 * extends it; a program may add its own.
 *
 * @example
 * ```ts
 * class Upper extends Entity.types.String {
 *   override deserialize(source: Row) {
 *     return super.deserialize(source).toUpperCase()
 *   }
 * }
 * ```
 */
export abstract class BaseType<Value = unknown> {
  /** The name of the property. */
  readonly property: string
  /** Whether conditions may use `lessThan` and the other operators of order. */
  readonly isOrdered: boolean = false
  /** Whether conditions may use the property at all. */
  readonly isComparable: boolean = false
  /** Whether values are encrypted with the `cryptoKey` of `setup`. */
  readonly isEncrypted: boolean = false

  /** @param property - the name of the property */
  constructor(property: string) {
    this.property = property
  }

  /**
   * Writes a value into a row.
   *
   * @param target - the row
   * @param value - the value
   * @param cryptoKey - 32 bytes, for encrypted types
   * @throws InputError (`InvalidValue` or `PropertyTooLarge`) when the property cannot hold the value
   */
  abstract serialize(target: Row, value: Value, cryptoKey?: Uint8Array): void

  /**
   * Reads the value from a row.
   *
   * @param source - the row
   * @param cryptoKey - 32 bytes, for encrypted types
   * @throws DecodeError (`UnreadableProperty`) when the row has no value of this type
   */
  abstract deserialize(source: Row, cryptoKey?: Uint8Array): Value

  /** Tells whether two values are equal, so that `modify` need not send one: by default, whether their rows are. */
  equal(one: Value, other: Value): boolean {
    return isDeepStrictEqual(rowOf(this, one), rowOf(this, other))
  }

  /** Returns a copy that shares nothing that can change: by default, the value that is read from its row. */
  clone(value: Value): Value {
    return this.deserialize(rowOf(this, value))
  }

  /**
   * Prints a value as a part of a key.
   *
   * @throws InputError (`InvalidKey`) for types that only a HashKey can use
   */
  string(_value: Value): string {
    throw entitiesInputError(
      'InvalidKey',
      `Property "${this.property}": its type cannot be a part of a key as text. Use Entity.keys.HashKey.`,
      this.property,
    )
  }

  /** Returns the text or the bytes that a HashKey and a signature hash. */
  hash(value: Value): string | Uint8Array {
    return this.string(value)
  }

  /**
   * Prints a condition as `$filter` has it.
   *
   * @param operator - from `Entity.op`
   * @throws InputError (`InvalidCondition`) for types that cannot be compared
   */
  filterCondition(operator: Operator<Value>): string {
    throw entitiesInputError(
      'InvalidCondition',
      `Property "${this.property}": its type cannot be compared with ${operator.operator}. Leave it out of the conditions.`,
      this.property,
    )
  }
}

function rowOf<Value>(type: BaseType<Value>, value: Value): Row {
  const row: Row = {}
  type.serialize(row, value)
  return row
}

/** The class of a property's type: one of `Entity.types`, or any other constructor of a {@link BaseType}. */
export type PropertyType<Value = unknown> = new (property: string) => BaseType<Value>
