import { type EntityModel, entityRows, type KeyCodec } from '@rowkey/mapper'
import { and, comparison, type FilterNode, literalOf, or } from '@rowkey/odata'

/** Returns the fixed text that all keys of a template begin with; empty without one. */
export function beginningOf({ segments }: KeyCodec): string {
  const [first] = segments
  return typeof first === 'string' ? first : ''
}

/**
 * Returns the condition on RowKey that only the rows of a model meet: those with the model's own beginning, or
 * those without any other.
 *
 * @param model - the model
 * @param others - what all other RowKeys of its partitions begin with
 */
export function rowFilter(model: EntityModel<object>, others: readonly string[]): FilterNode {
  const own = beginningOf(model.rowKey)
  if (own !== '') return beginningFilter(own)
  return and(...others.map((text) => or(bound('lt', text), bound('ge', endOf(text)))))
}

/** Returns the condition that only the entities of a model meet, also beside those of other types; `undefined` for all rows. */
export function entityFilter(model: EntityModel<object, object, object>): FilterNode | undefined {
  const { discriminator } = model
  const conditions = [entityRows(model)]
  if (discriminator !== undefined) {
    const { property, value } = discriminator
    conditions.push(comparison(property, 'eq', literalOf(value, 'String')))
  }
  const all = conditions.filter((each) => each !== undefined)
  return all.length === 0 ? undefined : and(...all)
}

/** Returns the condition that a row is in a partition. */
export function inPartition(partitionKey: string): FilterNode {
  return comparison('PartitionKey', 'eq', literalOf(partitionKey, 'String'))
}

/** Returns the condition that RowKey begins with a text. */
export function beginningFilter(text: string): FilterNode {
  return and(bound('ge', text), bound('lt', endOf(text)))
}

function bound(operator: 'ge' | 'lt', text: string): FilterNode {
  return comparison('RowKey', operator, literalOf(text, 'String'))
}

/** Tells whether a key could have both beginnings. */
export function isShared(one: string, other: string): boolean {
  return one.startsWith(other) || other.startsWith(one)
}

/** The first text after all that begin with a text. Templates of keys are plain text, without U+FFFF at the end. */
function endOf(text: string): string {
  const last = text.charCodeAt(text.length - 1)
  return `${text.slice(0, -1)}${String.fromCharCode(last + 1)}`
}
