import type { ComparisonOperator, EdmValue } from '@rowkey/odata'
import { QueryError } from '../errors/query-error.ts'
import type { Operand } from './operand.ts'

/** No service takes the filter of as many; it is there so that a list that grew is told so. */
const MAX_VALUES = 10_000

/** What can be asked about one property. */
export type TestOperator = ComparisonOperator | 'between' | 'startsWith' | 'in'

/**
 * A question about one property, in the object form of `.where`; made by {@link eq}, {@link ne},
 * {@link gt}, {@link ge}, {@link lt}, {@link le}, {@link between}, {@link startsWith} and
 * {@link anyOf}.
 */
export class PropertyTest<out Value> {
  /** What is asked. */
  readonly operator: TestOperator
  /** One operand; two for `between`; any number for `in`. */
  readonly operands: readonly Value[]

  /**
   * @param operator - what is asked
   * @param operands - one operand; two for `between`; any number for `in`
   */
  constructor(operator: TestOperator, ...operands: readonly Value[]) {
    this.operator = operator
    this.operands = operands
  }
}

/**
 * Equal to a value; the same as the value alone.
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
 * Stored, and not equal to a value: an entity without the property does not match.
 *
 * @example
 * ```ts
 * query.where({ state: ne('closed') }) // state ne 'closed'
 * ```
 */
export function ne<const Value extends Operand<EdmValue>>(value: Value): PropertyTest<Value> {
  return new PropertyTest('ne', value)
}

/**
 * Greater than a value.
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
 * Greater than a value or equal to it.
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
 * Less than a value.
 *
 * @example
 * ```ts
 * query.where({ age: lt(18) }) // age lt 18
 * ```
 */
export function lt<const Value extends Operand<EdmValue>>(value: Value): PropertyTest<Value> {
  return new PropertyTest('lt', value)
}

/**
 * Less than a value or equal to it.
 *
 * @example
 * ```ts
 * query.where({ age: le(65) }) // age le 65
 * ```
 */
export function le<const Value extends Operand<EdmValue>>(value: Value): PropertyTest<Value> {
  return new PropertyTest('le', value)
}

/**
 * From one value to another, both included.
 *
 * @param low - the least value that matches
 * @param high - the greatest value that matches; not less than `low`
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
 * Text that begins with a prefix, as the half-open range that the service can search.
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
 * Equal to one of some values: the `in` of the callback form, which JavaScript lets nobody import by
 * that name.
 *
 * Conditions on both keys that name each entity wholly are answered by reading them one by one, as
 * the service would scan a partition for the `or`. Mind that the service promises to take 15
 * comparisons in a filter.
 *
 * @param values - one value at least; each counts once
 * @throws {@link QueryError} when it is no array, or has more than 10,000 values; a query that gets an
 * empty one refuses it
 *
 * @example
 * ```ts
 * query.where({ state: anyOf(['open', 'late']) }) // state eq 'open' or state eq 'late'
 * ```
 */
export function anyOf<const Value extends Operand<EdmValue>>(
  values: readonly Value[],
): PropertyTest<Value> {
  if (Array.isArray(values)) {
    if (values.length <= MAX_VALUES) return new PropertyTest('in', ...values)
    throw tooMany(values.length)
  }
  throw new QueryError({
    message: `One of some values was asked for, and ${values === null ? 'null' : `a value of type ${typeof values}`} came: give them as an array, as in anyOf([1, 2]).`,
  })
}

function tooMany(count: number): QueryError {
  return new QueryError({
    message: `One of ${count} values was asked for, and no filter holds more than ${MAX_VALUES}: ask in several queries, or read entities by their keys with getMany.`,
  })
}
