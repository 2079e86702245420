import type { FilterNode } from '@rowkey/odata'
import { conditionFilter, filterNames, type QueryMatch } from '../condition/where-condition.ts'
import { invalidQuery } from '../errors/invalid-query.ts'
import {
  columnsByName,
  keyTemplateOf,
  type QueryColumn,
  type QueryModel,
} from '../model/query-model.ts'
import { type QueryNode, type RowPredicate, withChange } from './query-node.ts'

/** What can test rows once they were read: a function, or a condition as `.where` takes it. */
export type LocalCondition<Row, Shape> = ((row: Row) => boolean) | QueryMatch<Shape> | FilterNode

/**
 * Returns the query with one more test of its rows; the earlier ones hold too.
 *
 * @throws InputError with the code `InvalidQuery` for an invalid condition, and for one on a property
 * that is not read
 */
export function withLocalFilter<Row, Shape>(
  node: QueryNode,
  condition: LocalCondition<Row, Shape>,
): QueryNode {
  const test =
    typeof condition === 'function'
      ? (condition as RowPredicate) // the query gives rows of this type
      : filterOf(node, condition)
  return withChange(node, { localTests: [...(node.localTests ?? []), test] })
}

function filterOf<Shape>(node: QueryNode, condition: QueryMatch<Shape> | FilterNode): FilterNode {
  const filter = conditionFilter<Shape>(node.model, condition)
  const { model } = node
  if (node.resolved) {
    throw invalidQuery(
      `.filterLocally on ${model.name} comes after .resolve. Call it before .resolve, or use a function.`,
      { model: model.name },
    )
  }
  const columns = columnsByName(model)
  for (const name of filterNames(filter)) {
    for (const source of sourcesOf(model, name)) checkRead(node, source, columns.get(source))
  }
  return filter
}

/** Rejects a stored name that rows do not have: the condition would silently be false of all. */
function checkRead(
  { model: { name: model, properties }, select }: QueryNode,
  name: string,
  column: QueryColumn | undefined,
): void {
  const at = { model, property: name }
  if (column === undefined && properties !== undefined) {
    throw invalidQuery(
      `.filterLocally on ${model} uses '${name}', which no property of ${model} is stored as. Move the condition to .where, or declare the property.`,
      at,
    )
  }
  // The keys come with every row, and with them the properties that they hold.
  if (select === undefined || select.includes(name) || column?.inKey) return
  throw invalidQuery(
    `.filterLocally on ${model} uses '${name}', which .select does not read. Select it too.`,
    at,
  )
}

/** The stored names that hold what a name stands for: itself, or the parts of a key. */
function sourcesOf(model: QueryModel, name: string): readonly string[] {
  const template = keyTemplateOf(model, name)
  if (template === undefined) return [name]
  return template.segments.flatMap((each) => (typeof each === 'string' ? [] : [each.property]))
}
