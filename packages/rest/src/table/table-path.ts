import type { Endpoint } from '../endpoint.ts'
import { tableSegment } from './table-segment.ts'

/**
 * The path of a table as a resource of its account: `/Tables('people')`.
 *
 * @param endpoint - the account
 * @param table - the table's name
 * @throws {@link TableNameError}
 */
export function tablePath(endpoint: Endpoint, table: string): string {
  return `${endpoint.basePath}/Tables('${tableSegment(endpoint, table)}')`
}
