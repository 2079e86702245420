import type { Endpoint } from '../endpoint.ts'
import { checkTableName } from '../table/table-name.ts'

/**
 * The path of all entities of a table: `/people`.
 *
 * @param endpoint - the account
 * @param table - the table's name
 * @throws {@link TableNameError}
 */
export function entitySetPath(endpoint: Endpoint, table: string): string {
  checkTableName(table)
  return `${endpoint.basePath}/${table}`
}
