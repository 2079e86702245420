import { type FilterNode, FilterSyntaxError, parseFilter } from '@rowkey/odata'
import type { QueryParameters } from '../call/query-parameters.ts'
import { filterFault } from './filter-fault.ts'

/** The `$filter` as a tree; `undefined` when there is none, or a blank one. */
export function readFilter(query: QueryParameters): FilterNode | undefined {
  const text = query.get('$filter')
  if (text === undefined) return undefined
  try {
    return parseFilter(text)
  } catch (error) {
    throw error instanceof FilterSyntaxError ? filterFault(text, error) : error
  }
}
