import { type EntityModel, entityRows, type KeyCodec, keyFilter, typeFilter } from '@rowkey/mapper'
import {
  and,
  beginsOtherwise,
  beginsWith,
  type ComparisonOperator,
  comparison,
  type FilterNode,
  literalOf,
} from '@rowkey/odata'

/** Returns the fixed text that all keys of a template begin with; empty without one. */
export function beginningOf(key: KeyCodec): string {
  return key.prefix({})
}

/**
 * Returns the condition on RowKey that only the rows of a model meet: those with the model's own beginning and
 * without any other.
 *
 * @param model - the model
 * @param others - what all other RowKeys of its partitions begin with
 */
export function rowFilter(model: EntityModel<object>, others: readonly string[]): FilterNode {
  const own = beginningOf(model.rowKey)
  const rest = others.filter((text) => text !== own && text.startsWith(own))
  return and(
    ...[keyFilter('RowKey', model.rowKey) ?? []].flat(),
    ...rest.map((text) => beginsOtherwise('RowKey', text)),
  )
}

/**
 * Returns the condition that only the entities of a model meet, also beside those of other types.
 *
 * @param model - the model
 * @param others - more conditions on them
 * @returns `undefined` for all rows
 */
export function entityFilter(
  model: EntityModel<object, object, object>,
  ...others: readonly FilterNode[]
): FilterNode | undefined {
  const own = [entityRows(model), keyFilter('PartitionKey', model.partitionKey), typeFilter(model)]
  const all = [...others, ...own.flatMap((each) => each ?? [])]
  return all.length === 0 ? undefined : and(...all)
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

/** Tells whether a key could have both beginnings. */
export function isShared(one: string, other: string): boolean {
  return one.startsWith(other) || other.startsWith(one)
}
