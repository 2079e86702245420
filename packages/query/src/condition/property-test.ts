import {
  and,
  beginsWith,
  brand,
  type ComparisonOperator,
  comparison,
  describeKind,
  type EdmCodec,
  type EdmType,
  type EdmValue,
  EntityProperty,
  edmCodecs,
  type FilterLiteral,
  type FilterNode,
  type InputError,
  inferEdmType,
  not,
  or,
} from '@rowkey/odata'
import { invalidProperty, invalidQuery } from '../errors/invalid-query.ts'
import {
  checkNormal,
  type QueryColumn,
  type QueryModel,
  storedOperand,
} from '../model/query-model.ts'
import { storedFilter, withDefaults } from './missing-values.ts'

/**
 * The operand of a comparison with a property: a value of its own type. A `DateTimeValue` may be
 * compared with any
 * `Date`, a `Buffer` with any bytes. Where nothing is declared, an `EntityProperty` gives the type too.
 *
 * @example
 * ```ts
 * type A = Operand<'open' | 'closed'> // 'open' | 'closed'
 * type B = Operand<Buffer>            // Uint8Array
 * ```
 */
export type Operand<Value> = EdmValue extends Value
  ? EdmValue | EntityProperty
  : Value extends Date
    ? Date
    : Value extends Uint8Array
      ? Uint8Array
      : Value

/** The tests of one property. */
export type TestOperator =
  | ComparisonOperator
  | 'between'
  | 'startsWith'
  | 'in'
  | 'missing'
  | 'stored'

/**
 * A test of one property, in the object form of `.where`; made by {@link eq}, {@link ne}, {@link gt},
 * {@link ge}, {@link lt}, {@link le}, {@link between}, {@link startsWith} and {@link anyOf}.
 */
export class PropertyTest<out Value> {
  static {
    brand(PropertyTest, 'rowkey.propertyTest')
  }

  /** The tested property. */
  readonly operator: TestOperator
  /** One operand; two for `between`; any number for `in`; none for `missing` and `stored`. */
  readonly operands: readonly Value[]

  /**
   * @param operator - what is tested
   * @param operands - one operand; two for `between`; any number for `in`
   */
  constructor(operator: TestOperator, ...operands: readonly Value[]) {
    this.operator = operator
    this.operands = operands
  }
}

/**
 * Tests that a property equals a value; the same as the value alone.
 *
 * @example
 * ```ts
 * query.where({ lastName: eq('Smith') }) // PartitionKey eq 'Smith'
 * ```
 */
export function eq<const Value extends Operand<EdmValue>>(value: Value): PropertyTest<Value> {
  return new PropertyTest('eq', value)
}

/**
 * Tests that a property is stored and does not equal a value: an entity without it does not match.
 *
 * @example
 * ```ts
 * query.where({ state: ne('closed') }) // state ne 'closed' and state ge ''
 * ```
 */
export function ne<const Value extends Operand<EdmValue>>(value: Value): PropertyTest<Value> {
  return new PropertyTest('ne', value)
}

/**
 * Tests that a property is greater than a value.
 *
 * @example
 * ```ts
 * query.where({ points: gt(100n) }) // points gt 100L
 * ```
 */
export function gt<const Value extends Operand<EdmValue>>(value: Value): PropertyTest<Value> {
  return new PropertyTest('gt', value)
}

/**
 * Tests that a property is greater than a value or equal to it.
 *
 * @example
 * ```ts
 * query.where({ age: ge(18) }) // age ge 18
 * ```
 */
export function ge<const Value extends Operand<EdmValue>>(value: Value): PropertyTest<Value> {
  return new PropertyTest('ge', value)
}

/**
 * Tests that a property is less than a value.
 *
 * @example
 * ```ts
 * query.where({ age: lt(18) }) // age lt 18 and age ge -2147483648
 * ```
 */
export function lt<const Value extends Operand<EdmValue>>(value: Value): PropertyTest<Value> {
  return new PropertyTest('lt', value)
}

/**
 * Tests that a property is less than a value or equal to it.
 *
 * @example
 * ```ts
 * query.where({ age: le(65) }) // age le 65 and age ge -2147483648
 * ```
 */
export function le<const Value extends Operand<EdmValue>>(value: Value): PropertyTest<Value> {
  return new PropertyTest('le', value)
}

/**
 * Tests that a property is between two values, both included.
 *
 * @param low - the least value that matches
 * @param high - the greatest value that matches; must not be less than `low`
 *
 * @example
 * ```ts
 * query.where({ age: between(18, 65) }) // age ge 18 and age le 65
 * ```
 */
export function between<const Value extends Operand<EdmValue>>(
  low: Value,
  high: Value,
): PropertyTest<Value> {
  return new PropertyTest('between', low, high)
}

/**
 * Tests that a text begins with a prefix, as the half-open range that the service can search.
 *
 * @example
 * ```ts
 * query.where({ lastName: startsWith('Sm') }) // PartitionKey ge 'Sm' and PartitionKey lt 'Sn'
 * ```
 */
export function startsWith(prefix: string): PropertyTest<string> {
  return new PropertyTest('startsWith', prefix)
}

/**
 * Tests that an entity does not have a property, for the object form of `.where`: the `isMissing()` of the callback form.
 *
 * @example
 * ```ts
 * query.where({ email: missing }) // not (email eq '' or email ne '')
 * ```
 */
export const missing: PropertyTest<never> = Object.freeze(new PropertyTest<never>('missing'))

/**
 * Tests that an entity has a property, whatever its value, for the object form of `.where`: the `isSet()` of the callback form.
 *
 * @example
 * ```ts
 * query.where({ email: notMissing }) // email eq '' or email ne ''
 * ```
 */
export const notMissing: PropertyTest<never> = Object.freeze(new PropertyTest<never>('stored'))

/** A service takes far fewer; this limit gives a clear error for a list that grew. */
const MAX_VALUES = 10_000

/**
 * Tests that a property equals one of several values: the `in` of the callback form, which is a reserved
 * word in JavaScript.
 *
 * Conditions on both keys that name each entity by its whole key are sent as one read per entity. For the
 * `or`, the service would scan a partition. The service guarantees only 15 comparisons in a filter.
 *
 * @param values - the values; duplicates count once. No row matches an empty array, and then nothing is sent
 * @throws InputError with the code `InvalidQuery` when it is not an array, or has more than 10,000 values
 *
 * @example
 * ```ts
 * query.where({ state: anyOf(['open', 'late']) }) // state eq 'open' or state eq 'late'
 * ```
 */
export function anyOf<const Value extends Operand<EdmValue>>(
  values: readonly Value[],
): PropertyTest<Value> {
  if (!Array.isArray(values)) {
    throw invalidQuery(
      `anyOf takes an array of values, as in anyOf([1, 2]); got ${describeKind(values)}.`,
    )
  }
  if (values.length <= MAX_VALUES) return new PropertyTest('in', ...values)
  throw invalidQuery(
    `anyOf got ${values.length} values; it takes at most ${MAX_VALUES}. Split the query, or read entities by their keys with getMany.`,
  )
}

/**
 * Makes the filter of a test of one property.
 *
 * @throws InputError with the code `InvalidQuery` when the operands do not fit the test. With the code
 * `InvalidPropertyValue` when one cannot be a value of the column's type
 */
export function propertyFilter(
  model: QueryModel,
  column: QueryColumn,
  test: PropertyTest<unknown>,
): FilterNode {
  const { operator, operands } = test
  if (operator === 'in') return oneOfFilter(model, column, operands)
  if (operator === 'stored') return storedFilter(model, column)
  if (operator === 'missing') return not(storedFilter(model, column))
  return withDefaults(model, column, comparisonFilter(model, column, operator, operands))
}

function comparisonFilter(
  model: QueryModel,
  column: QueryColumn,
  operator: Exclude<TestOperator, 'in' | 'stored' | 'missing'>,
  operands: readonly unknown[],
): FilterNode {
  const [first, second] = operands
  if (column.normal && operator !== 'eq' && operator !== 'ne') {
    for (const operand of operands) checkNormal(model, column, operand)
  }
  if (operator === 'startsWith' && column.type !== undefined) {
    checkPrefixed(model, column, column.type)
  }
  const literal = operandLiteral(model, column, first)
  switch (operator) {
    case 'between':
      return rangeFilter(model, column, literal, operandLiteral(model, column, second))
    case 'startsWith':
      return prefixFilter(model, column, literal)
    default:
      return comparison(column.name, operator, literal)
  }
}

/**
 * Makes the constant that a property is compared with. The column's declared type decides how it is
 * written (`5L` for an Int64, `5.0` for a Double); without one, the value's own type does.
 *
 * @throws InputError with the code `InvalidQuery` when the operand is `null`, `undefined` or not an Edm
 * value. With the code `InvalidPropertyValue` when it cannot be a value of the column's type
 */
export function operandLiteral(
  model: QueryModel,
  column: QueryColumn,
  operand: unknown,
): FilterLiteral {
  const typed: EntityProperty | undefined = operand instanceof EntityProperty ? operand : undefined
  const value = typed === undefined ? storedOperand(column, operand) : typed.value
  const type = column.type ?? typed?.type ?? inferEdmType(value)
  if (type === undefined || value === null || value === undefined) {
    throw incomparable(model, column, value)
  }
  const codec: EdmCodec = edmCodecs[type]
  return Object.freeze({ type, value: codec.accept(value, column.property) })
}

/** An `or`, in the order of the values; `false` for none. A query with it sends nothing. */
function oneOfFilter(
  model: QueryModel,
  column: QueryColumn,
  values: readonly unknown[],
): FilterNode {
  const comparisons = new Map<string, FilterNode>()
  for (const value of values) {
    const literal = operandLiteral(model, column, value)
    const text = codecOf(literal).printLiteral(literal.value)
    comparisons.set(text, withDefaults(model, column, comparison(column.name, 'eq', literal)))
  }
  return or(...comparisons.values())
}

function rangeFilter(
  model: QueryModel,
  column: QueryColumn,
  low: FilterLiteral,
  high: FilterLiteral,
): FilterNode {
  if (low.type === high.type && codecOf(low).compare(low.value, high.value) > 0) {
    throw invalidProperty(
      model,
      column,
      'cannot be between these operands: the first is greater than the second. Swap them.',
    )
  }
  return and(comparison(column.name, 'ge', low), comparison(column.name, 'le', high))
}

function prefixFilter(model: QueryModel, column: QueryColumn, literal: FilterLiteral): FilterNode {
  checkPrefixed(model, column, literal.type)
  return beginsWith(column.name, String(literal.value))
}

function checkPrefixed(model: QueryModel, column: QueryColumn, type: EdmType): void {
  if (type === 'String') return
  throw invalidProperty(
    model,
    column,
    `is compared as ${type}, and startsWith works only on a String. Use between, or ge and lt.`,
  )
}

/** A codec that is found by a literal's type takes the literal's value. */
function codecOf({ type }: FilterLiteral): EdmCodec {
  return edmCodecs[type]
}

function incomparable(model: QueryModel, column: QueryColumn, value: unknown): InputError {
  const reason =
    value === null || value === undefined
      ? `${value}: it is never stored, and every comparison with an absent property is false. Leave the condition out, or check the value first.`
      : `a value of type ${typeof value}, which is not an Edm value. Use a string, number, bigint, boolean, Date or Uint8Array.`
  return invalidProperty(model, column, `cannot be compared with ${reason}`)
}
