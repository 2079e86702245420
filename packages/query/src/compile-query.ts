import { printFilter } from '@rowkey/odata'
import { loweredFilter } from './key/lowered-filter.ts'
import type { QueryNode } from './query-node.ts'

/** Most entities in one page; a larger `$top` is refused by the service. */
export const MAX_PAGE_SIZE = 1000

/**
 * A query as any client of the Table service takes it. Members that would say nothing are absent.
 *
 * @example
 * ```ts
 * const { filter, select } = query.compile()
 * tableClient.listEntities({ queryOptions: { filter, select } }) // another SDK
 * ```
 */
export interface CompiledQuery {
  /** The text of `$filter`, not yet percent-encoded. */
  filter?: string
  /** The stored names for `$select`, `PartitionKey`, `RowKey` and `Timestamp` first. */
  select?: string[]
  /** `$top`: how many entities at most in one page, 1 to 1,000. */
  top?: number
}

/**
 * Compiles a query.
 *
 * `$top` is the smaller of the page size and the limit, so that a limit of 5 does not fetch 1,000. It
 * stays the same over all pages, as the service wants it. Where rows are dropped once they were read,
 * the limit counts what is left of them and says nothing to the service.
 */
export function compileQuery(node: QueryNode): CompiledQuery {
  const { select, take, pageSize, localFilter } = node
  const filter = loweredFilter(node)
  const limit = localFilter === undefined ? take : undefined
  const top = Math.min(limit ?? Number.POSITIVE_INFINITY, pageSize ?? MAX_PAGE_SIZE)
  return {
    ...(filter && { filter: printFilter(filter) }),
    ...(select && { select: [...select] }),
    ...((pageSize !== undefined || top < MAX_PAGE_SIZE) && { top }),
  }
}
