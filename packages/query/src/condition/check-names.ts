import type { FilterNode } from '@rowkey/odata'
import { namesIn } from '../filter-names.ts'
import type { QueryColumn, QueryModel } from '../query-model.ts'
import { checkFilterable } from '../resolve-column.ts'
import { columnsByName } from '../row-property.ts'

const unfilterable = new WeakMap<QueryModel, ReadonlyMap<string, QueryColumn>>()

/**
 * Refuses a filter that somebody made of stored names when one of them cannot be compared: an operand
 * for an encrypted property would go to the service in the clear. Raw
 * text is not looked into: it is the caller's own.
 *
 * @throws {@link QueryError}
 */
export function checkNames(model: QueryModel, filter: FilterNode): void {
  const columns = unfilterableOf(model)
  if (columns.size === 0) return
  for (const name of namesIn(filter)) {
    const column = typeof name === 'string' ? columns.get(name) : undefined
    if (column !== undefined) checkFilterable(model, column)
  }
}

/** The columns that no filter can compare, by their stored names. */
function unfilterableOf(model: QueryModel): ReadonlyMap<string, QueryColumn> {
  let columns = unfilterable.get(model)
  if (columns === undefined) {
    const all = [...columnsByName(model)]
    columns = new Map(all.filter(([, column]) => column.unfilterable !== undefined))
    unfilterable.set(model, columns)
  }
  return columns
}
