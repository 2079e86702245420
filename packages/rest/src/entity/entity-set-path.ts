import type { Endpoint } from '../endpoint.ts'
import { tableSegment } from '../table/table-segment.ts'

/**
 * The path of all entities of a table: `/people`.
 *
 * @param endpoint - the account
 * @param table - the table's name
 * @throws {@link TableNameError}
 */
export function entitySetPath(endpoint: Endpoint, table: string): string {
  return `${endpoint.basePath}/${tableSegment(endpoint, table)}`
}
