import { type EntityModel, entityRows, keyFilter, typeRule } from '@rowkey/mapper'
import {
  and,
  beginsWith,
  type ComparisonOperator,
  comparison,
  type FilterNode,
  literalOf,
} from '@rowkey/odata'

/**
 * Returns the condition that only the entities of a model meet, also beside those of other types.
 *
 * @param model - the model
 * @param others - more conditions on them
 */
export function entityFilter(
  model: EntityModel<object>,
  ...others: readonly FilterNode[]
): FilterNode {
  const type = typeRule(model)?.where
  const own = [entityRows(model), keyFilter('PartitionKey', model.partitionKey), type]
  return and(...others, ...own.flatMap((each) => each ?? []))
}

/** Returns the condition that a row is in a partition. */
export function inPartition(partitionKey: string): FilterNode {
  return textIs('PartitionKey', 'eq', partitionKey)
}

/** Returns the condition that compares a stored text, such as a key. */
export function textIs(name: string, operator: ComparisonOperator, text: string): FilterNode {
  return comparison(name, operator, literalOf(text, 'String'))
}

/** Returns the condition that RowKey begins with a text. */
export function beginningFilter(text: string): FilterNode {
  return beginsWith('RowKey', text)
}
