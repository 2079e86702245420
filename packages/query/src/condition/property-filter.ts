import {
  and,
  comparison,
  type EdmCodec,
  type EdmType,
  EntityProperty,
  edmCodecs,
  type FilterLiteral,
  type FilterNode,
  type InputError,
  inferEdmType,
  literalOf,
  or,
} from '@rowkey/odata'
import { invalidQuery } from '../errors/invalid-query.ts'
import type { QueryColumn, QueryModel } from '../model/query-model.ts'
import { prefixEnd } from './prefix-end.ts'
import type { PropertyTest } from './property-test.ts'

/**
 * Makes the filter of a test of one property.
 *
 * @throws InputError with the code `InvalidQuery` when the operands do not fit the test, and with the code
 * `InvalidPropertyValue` when one cannot be a value of the column's type
 */
export function propertyFilter(
  model: QueryModel,
  column: QueryColumn,
  test: PropertyTest<unknown>,
): FilterNode {
  const { operator, operands } = test
  if (operator === 'in') return oneOfFilter(model, column, operands)
  const [first, second] = operands
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
 * value, and with the code `InvalidPropertyValue` when it cannot be a value of the column's type
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

/** An `or`, in the order of the values. */
function oneOfFilter(
  model: QueryModel,
  column: QueryColumn,
  values: readonly unknown[],
): FilterNode {
  const comparisons = new Map<string, FilterNode>()
  for (const value of values) {
    const literal = operandLiteral(model, column, value)
    const text = codecOf(literal).printLiteral(literal.value)
    comparisons.set(text, comparison(column.name, 'eq', literal))
  }
  if (comparisons.size > 0) return or(...comparisons.values())
  // The service would read everything that the rest of the query bounds, for nothing.
  throw invalid(
    model,
    column,
    'must equal one of no values, so no row can match. Check the list first, and do not query when it is empty.',
  )
}

function rangeFilter(
  model: QueryModel,
  column: QueryColumn,
  low: FilterLiteral,
  high: FilterLiteral,
): FilterNode {
  if (low.type === high.type && codecOf(low).compare(low.value, high.value) > 0) {
    throw invalid(
      model,
      column,
      'cannot be between these operands: the first is greater than the second. Swap them.',
    )
  }
  return and(comparison(column.name, 'ge', low), comparison(column.name, 'le', high))
}

function prefixFilter(model: QueryModel, column: QueryColumn, literal: FilterLiteral): FilterNode {
  checkPrefixed(model, column, literal.type)
  const from = comparison(column.name, 'ge', literal)
  const end = prefixEnd(String(literal.value))
  return end === undefined ? from : and(from, comparison(column.name, 'lt', literalOf(end)))
}

function checkPrefixed(model: QueryModel, column: QueryColumn, type: EdmType): void {
  if (type === 'String') return
  throw invalid(
    model,
    column,
    `is compared as ${type}, and startsWith works only on a String. Use between, or ge and lt.`,
  )
}

/** A codec that is found by a literal's type takes the literal's value. */
function codecOf({ type }: FilterLiteral): EdmCodec {
  return edmCodecs[type]
}

function storedOperand({ toStored }: QueryColumn, operand: unknown): unknown {
  if (toStored === undefined || operand === null || operand === undefined) return operand
  return toStored(operand)
}

function incomparable(model: QueryModel, column: QueryColumn, value: unknown): InputError {
  const reason =
    value === null || value === undefined
      ? `${value}: it is never stored, and every comparison with an absent property is false. Leave the condition out, or check the value first.`
      : `a value of type ${typeof value}, which is not an Edm value. Use a string, number, bigint, boolean, Date or Uint8Array.`
  return invalid(model, column, `cannot be compared with ${reason}`)
}

function invalid({ name: model }: QueryModel, { property }: QueryColumn, what: string): InputError {
  return invalidQuery(`${model}.${property} ${what}`, { model, property })
}
