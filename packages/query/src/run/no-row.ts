import { compileQuery } from '../compile-query.ts'
import { NoRowError } from '../errors/no-row-error.ts'
import type { QueryNode } from '../query-node.ts'

/** The error of a query whose first row was asked for, and that has none. */
export function noRow(node: QueryNode): NoRowError {
  const { name: model } = node.model
  const { filter } = compileQuery(node)
  return new NoRowError({
    model,
    filter,
    message: `The query on ${model} has no first row. ${whyNone(node, filter)}. Ask with firstOrUndefined() where that may be.`,
  })
}

function whyNone({ localFilter }: QueryNode, filter: string | undefined): string {
  if (localFilter !== undefined) {
    return filter === undefined
      ? '.filterLocally keeps none'
      : `.filterLocally keeps none of what matches: ${filter}`
  }
  return filter === undefined ? 'It has no row' : `None matches: ${filter}`
}
