import { evaluateFilter, type FilterNode } from '@rowkey/odata'
import type { QueryMatch } from './condition/query-match.ts'
import { conditionFilter } from './condition/where-condition.ts'
import { QueryError } from './errors/query-error.ts'
import { filterNames } from './filter-names.ts'
import { sourcesOf, withKeys } from './key/row-key.ts'
import type { QueryColumn, QueryModel } from './query-model.ts'
import { type QueryNode, type RowPredicate, withChange } from './query-node.ts'
import { columnsByName, rowLookup } from './row-property.ts'

/** What rows can be tested by once they were read: a function, or a condition as `.where` takes it. */
export type LocalCondition<Row, Shape> = ((row: Row) => boolean) | QueryMatch<Shape> | FilterNode

/**
 * The query with one more test of its rows; the earlier ones hold too.
 *
 * @throws {@link QueryError} for what is no condition, and for one on a property that is not read
 */
export function withLocalFilter<Row, Shape>(
  node: QueryNode,
  condition: LocalCondition<Row, Shape>,
): QueryNode {
  const { localFilter: earlier } = node
  const added =
    typeof condition === 'function'
      ? checkedPredicate(node, condition)
      : filterPredicate(node, conditionFilter<Shape>(node.model, condition))
  return withChange(node, {
    localFilter: earlier === undefined ? added : (row) => earlier(row) && added(row),
  })
}

function checkedPredicate<Row>({ model }: QueryNode, test: (row: Row) => boolean): RowPredicate {
  return (row) => {
    // Rows are what the query says they are.
    const wanted: unknown = test(row as Row)
    if (typeof wanted === 'boolean') return wanted
    throw new QueryError({
      model: model.name,
      message: `The function given to .filterLocally on ${model.name} gave ${wanted === null ? 'null' : `a value of type ${typeof wanted}`}: it must give true or false, and cannot be async.`,
    })
  }
}

function filterPredicate(node: QueryNode, filter: FilterNode): RowPredicate {
  const { model } = node
  if (node.resolved) throw notTold(model)
  const columns = columnsByName(model)
  for (const name of filterNames(filter)) {
    for (const source of sourcesOf(model, name)) checkRead(node, source, columns.get(source))
  }
  const lookup = withKeys(model, rowLookup(model))
  return (row) => evaluateFilter(filter, (name) => lookup(row, name))
}

/** Refuses a stored name that rows do not tell: the condition would quietly be false of all. */
function checkRead(
  { model, select }: QueryNode,
  name: string,
  column: QueryColumn | undefined,
): void {
  if (column === undefined && model.properties !== undefined) {
    const message = `Rows of ${model.name} have no property that is stored as '${name}', so they cannot be tested by it. Put the condition in .where, or declare the property.`
    throw new QueryError({ model: model.name, property: name, message })
  }
  // The keys come with every row, and with them what is written there.
  if (select === undefined || select.includes(name) || column?.inKey) return
  throw new QueryError({
    model: model.name,
    property: name,
    message: `Rows of ${model.name} are read without '${name}', so they cannot be tested by it. Name it in .select too.`,
  })
}

function notTold({ name }: QueryModel): QueryError {
  return new QueryError({
    model: name,
    message: `.filterLocally on ${name} comes after .resolve, and what a resolver makes has no stored names. Say it before .resolve, or give a function.`,
  })
}
