import { TableNameError } from '../errors/table-name-error.ts'

const TABLE_NAME = /^[A-Za-z][A-Za-z0-9]{2,62}$/
const SHOWN = 64

/**
 * Refuses what the service does not take as the name of a table: a letter, then 2 to 62 letters and
 * digits, and not `tables`. Case is kept, but does not tell two tables of an account apart.
 *
 * @param name - the table's name
 * @throws {@link TableNameError}
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
  const shown = typeof name === 'string' ? JSON.stringify(name.slice(0, SHOWN)) : `a ${typeof name}`
  throw new TableNameError({
    message: `${shown} is not a table name. It must be a letter and then 2 to 62 letters and digits, and not "tables".`,
  })
}
