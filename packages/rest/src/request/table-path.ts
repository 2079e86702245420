import { isWellFormed } from '@rowkey/odata'
import { isChecked } from '../endpoint/checks.ts'
import type { Endpoint } from '../endpoint/endpoint.ts'
import { restInputError } from '../errors/codes.ts'

/** A table, by its name. */
export interface TableAddress {
  /** The table's name. */
  readonly table: string
}

const TABLE_NAME = /^[A-Za-z][A-Za-z0-9]{2,62}$/
const LONGEST_SHOWN = 64

/**
 * Rejects an invalid table name: it must be a letter, then 2 to 62 letters and digits, and not
 * `tables`. The service keeps the case, but two names of an account must differ in more than case.
 *
 * @param name - the table's name
 * @throws `InputError` (`InvalidTableName`)
 * @see https://learn.microsoft.com/rest/api/storageservices/understanding-the-table-service-data-model
 *
 * @example
 * ```ts
 * checkTableName('people')
 * checkTableName('my-people') // throws: no dashes
 * ```
 */
export function checkTableName(name: unknown): asserts name is string {
  if (typeof name === 'string' && TABLE_NAME.test(name) && name.toLowerCase() !== 'tables') return
  const shown =
    typeof name === 'string' ? JSON.stringify(name.slice(0, LONGEST_SHOWN)) : `a ${typeof name}`
  throw restInputError({
    code: 'InvalidTableName',
    message: `${shown} is not a valid table name. It must be a letter and then 2 to 62 letters and digits, and not "tables".`,
  })
}

/**
 * Builds the path of a table as a resource of its account: `/Tables('people')`.
 *
 * @param endpoint - the account
 * @param table - the table's name
 * @throws `InputError` (`InvalidTableName`)
 */
export function tablePath(endpoint: Endpoint, table: string): string {
  return `${endpoint.basePath}/Tables('${tableSegment(endpoint, table)}')`
}

/**
 * Builds the path of all entities of a table: `/people`.
 *
 * @param endpoint - the account
 * @param table - the table's name
 * @throws `InputError` (`InvalidTableName`)
 */
export function entitySetPath(endpoint: Endpoint, table: string): string {
  return `${endpoint.basePath}/${tableSegment(endpoint, table)}`
}

/**
 * Checks a table's name and returns it as a segment of a path. If only the service checks names, the
 * name is escaped, so that it cannot be anything but a name.
 *
 * @param endpoint - the account
 * @param table - the table's name
 * @throws `InputError` (`InvalidTableName`)
 */
export function tableSegment(endpoint: Endpoint, table: string): string {
  const isLeft = typeof table === 'string' && table !== '' && !isChecked(endpoint, 'tableNames')
  if (isLeft && isWellFormed(table)) return encodeURIComponent(table.replaceAll("'", "''"))
  checkTableName(table)
  return table
}
