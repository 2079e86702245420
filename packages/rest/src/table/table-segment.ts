import { isWellFormed } from '@rowkey/odata'
import { isChecked } from '../checks/with-checks.ts'
import type { Endpoint } from '../endpoint.ts'
import { checkTableName } from './table-name.ts'

/**
 * A table's name as it stands in a path. When its check is left to the service, it is escaped, so
 * that it cannot be anything but a name there.
 *
 * @param endpoint - the account
 * @param table - the table's name
 * @throws {@link TableNameError}
 */
export function tableSegment(endpoint: Endpoint, table: string): string {
  const isLeft = typeof table === 'string' && table !== '' && !isChecked(endpoint, 'tableNames')
  if (isLeft && isWellFormed(table)) return encodeURIComponent(table.replaceAll("'", "''"))
  checkTableName(table)
  return table
}
