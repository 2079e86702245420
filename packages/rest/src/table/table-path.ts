import type { Endpoint } from '../endpoint.ts'
import { checkTableName } from './table-name.ts'

/**
 * The path of a table as a resource of its account: `/Tables('people')`.
 *
 * @param endpoint - the account
 * @param table - the table's name
 * @throws {@link TableNameError}
 */
export function tablePath(endpoint: Endpoint, table: string): string {
  checkTableName(table)
  return `${endpoint.basePath}/Tables('${table}')`
}
