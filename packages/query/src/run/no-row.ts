import { compileQuery } from '../compile-query.ts'
import { NoRowError } from '../errors/no-row-error.ts'
import type { QueryNode } from '../query-node.ts'

/** The error of a query whose first row was asked for, and that has none. */
export function noRow(node: QueryNode): NoRowError {
  const { name: model } = node.model
  // Several queries have a filter each.
  const filter = node.parallel === undefined ? compileQuery(node).filter : undefined
  return new NoRowError({
    model,
    filter,
    message: `The query on ${model} has no first row. ${whyNone(node, filter)}. Ask with firstOrUndefined() where that may be.`,
  })
}

function whyNone({ localFilter, parallel }: QueryNode, filter: string | undefined): string {
  if (parallel !== undefined) return `None of its ${parallel.ranges.length} queries has one`
  if (localFilter !== undefined) {
    return filter === undefined
      ? '.filterLocally keeps none'
      : `.filterLocally keeps none of what matches: ${filter}`
  }
  return filter === undefined ? 'It has no row' : `None matches: ${filter}`
}
