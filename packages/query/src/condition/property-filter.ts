import {
  and,
  comparison,
  type EdmCodec,
  type EdmType,
  edmCodecs,
  type FilterLiteral,
  type FilterNode,
  literalOf,
} from '@rowkey/odata'
import { QueryError } from '../errors/query-error.ts'
import type { QueryColumn, QueryModel } from '../query-model.ts'
import { oneOfFilter } from './one-of-filter.ts'
import { operandLiteral } from './operand-literal.ts'
import { prefixEnd } from './prefix-end.ts'
import type { PropertyTest } from './property-test.ts'

/**
 * The filter that a question about one property comes to.
 *
 * @throws {@link QueryError} when the operands do not fit the question
 * @throws PropertyValueError when an operand cannot be a value of the column's type
 */
export function propertyFilter(
  model: QueryModel,
  column: QueryColumn,
  test: PropertyTest<unknown>,
): FilterNode {
  const { operator, operands } = test
  if (operator === 'in') return oneOfFilter(model, column, operands)
  const [first, second] = operands
  if (operator === 'startsWith' && column.type !== undefined)
    checkPrefixed(model, column, column.type)
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

function rangeFilter(
  model: QueryModel,
  { property, name }: QueryColumn,
  low: FilterLiteral,
  high: FilterLiteral,
): FilterNode {
  // The codec found by a literal's type takes the literal's value.
  const codec: EdmCodec = edmCodecs[low.type]
  if (low.type === high.type && codec.compare(low.value, high.value) > 0) {
    throw new QueryError({
      model: model.name,
      property,
      message: `${model.name}.${property} cannot lie between these operands: the first is greater than the second. Swap them.`,
    })
  }
  return and(comparison(name, 'ge', low), comparison(name, 'le', high))
}

function prefixFilter(model: QueryModel, column: QueryColumn, literal: FilterLiteral): FilterNode {
  checkPrefixed(model, column, literal.type)
  const from = comparison(column.name, 'ge', literal)
  const end = prefixEnd(String(literal.value))
  return end === undefined ? from : and(from, comparison(column.name, 'lt', literalOf(end)))
}

function checkPrefixed(model: QueryModel, { property }: QueryColumn, type: EdmType): void {
  if (type === 'String') return
  throw new QueryError({
    model: model.name,
    property,
    message: `${model.name}.${property} is compared as ${type}, and only a String begins with a prefix. Use between, or ge and lt.`,
  })
}
