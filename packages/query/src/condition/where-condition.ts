import type { FilterNode } from '@rowkey/odata'
import { QueryError } from '../errors/query-error.ts'
import type { QueryModel } from '../query-model.ts'
import { checkNames } from './check-names.ts'
import { type ConditionLike, nodeOf } from './condition.ts'
import { isFilterNode } from './is-filter-node.ts'
import type { QueryFields } from './query-field.ts'
import { queryFields } from './query-fields.ts'
import { matchFilter, type QueryMatch } from './query-match.ts'

/** The callback form of `.where`: fields in, one condition out. */
export type WhereCallback<Shape> = (fields: QueryFields<Shape>) => ConditionLike

/**
 * The ways to say a condition: a callback, an object of properties, or a filter node, as the `filter`
 * tag, `parseFilter` and `rawFilter` make one.
 */
export type WhereCondition<Shape> = WhereCallback<Shape> | QueryMatch<Shape> | FilterNode

/**
 * The filter that a condition comes to.
 *
 * @throws {@link QueryError} when it is none of these forms, or speaks of an unknown property
 */
export function conditionFilter<Shape>(
  model: QueryModel,
  condition: WhereCondition<Shape>,
): FilterNode {
  const filter = toFilter(model, condition)
  checkNames(model, filter)
  return filter
}

function toFilter<Shape>(model: QueryModel, condition: WhereCondition<Shape>): FilterNode {
  if (typeof condition === 'function') return nodeOf(condition(queryFields<Shape>(model)))
  if (isFilterNode(condition)) return condition
  if (typeof condition === 'object' && condition !== null) return matchFilter(model, condition)
  throw new QueryError({
    model: model.name,
    message: `The condition on ${model.name} is no callback, no object of properties and no filter node. Write it as in .where((c) => c.age.gt(30)), or a text as filter\`age gt 30\`.`,
  })
}
