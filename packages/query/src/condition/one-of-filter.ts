import { comparison, type EdmCodec, edmCodecs, type FilterNode, or } from '@rowkey/odata'
import { QueryError } from '../errors/query-error.ts'
import type { QueryColumn, QueryModel } from '../query-model.ts'
import { operandLiteral } from './operand-literal.ts'

/**
 * The filter of a property that is one of some values: an `or`, in the order of the values.
 *
 * @throws {@link QueryError} when there is no value: nothing would match, and the service would still
 * read all that the query bounds
 * @throws PropertyValueError when a value cannot be one of the column's type
 */
export function oneOfFilter(
  model: QueryModel,
  column: QueryColumn,
  values: readonly unknown[],
): FilterNode {
  const comparisons = new Map<string, FilterNode>()
  for (const value of values) {
    const literal = operandLiteral(model, column, value)
    // The codec found by a literal's type takes the literal's value.
    const codec: EdmCodec = edmCodecs[literal.type]
    const text = codec.printLiteral(literal.value)
    comparisons.set(text, comparison(column.name, 'eq', literal))
  }
  if (comparisons.size > 0) return or(...comparisons.values())
  const { property } = column
  throw new QueryError({
    model: model.name,
    property,
    message: `${model.name}.${property} is asked to be one of no values, and nothing is. Look at the list first, and ask nothing when it is empty.`,
  })
}
