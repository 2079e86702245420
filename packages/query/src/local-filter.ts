import { evaluateFilter, type FilterNode } from '@rowkey/odata'
import type { QueryMatch } from './condition/query-match.ts'
import { conditionFilter } from './condition/where-condition.ts'
import { QueryError } from './errors/query-error.ts'
import { filterNames } from './filter-names.ts'
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

function filterPredicate({ model, select }: QueryNode, filter: FilterNode): RowPredicate {
  const columns = columnsByName(model)
  for (const name of filterNames(filter)) {
    // The keys come with every row, and with them what is written there.
    if (select === undefined || select.includes(name) || columns.get(name)?.inKey) continue
    throw new QueryError({
      model: model.name,
      property: name,
      message: `Rows of ${model.name} are read without '${name}', so they cannot be tested by it. Name it in .select too.`,
    })
  }
  const lookup = rowLookup(model)
  return (row) => evaluateFilter(filter, (name) => lookup(row, name))
}
