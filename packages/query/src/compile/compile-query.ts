import { printFilter } from '@rowkey/odata'
import { loweredFilter } from '../key/key-lowering.ts'
import type { QueryNode } from '../node/query-node.ts'

/** The most entities in one page; the service rejects a larger `$top`. */
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
 * stays the same over all pages, as the service expects. Where rows are dropped after they were read, the
 * limit counts the rest and does not count for `$top`.
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
