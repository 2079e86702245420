import { isRowkeyError } from '@rowkey/odata'
import { keptMark } from '@rowkey/rest'
import { startsWith } from 'rowkey'
import { counted } from '../output/progress.ts'
import type { Shell } from '../shell/shell.ts'
import { lacksPermission } from './lacks-permission.ts'
import type { RowTable } from './open-account.ts'

/**
 * Says how many rows of `@rowkey/patterns` an export or a copy has left out.
 *
 * @param shell - the shell
 * @param rows - how many; nothing is printed for 0
 */
export function warnOfLeftOut(shell: Shell, rows: number): void {
  if (rows === 0) return
  shell.warn(
    `Left out ${counted(rows, 'row')} of indexes, sums and messages of @rowkey/patterns. --kept takes them, too.\n`,
  )
}

/**
 * Warns after a command has written rows of a table.
 *
 * @param shell - the shell
 * @param table - the table
 */
export async function warnOfKeptRows(shell: Shell, table: RowTable): Promise<void> {
  const warning = await warningOfKeptRows(table, shell.signal)
  if (warning !== undefined) shell.warn(`${warning}\n`)
}

/**
 * Returns what changes of rows leave behind in a table with indexes or sums, because only programs with its models keep them.
 *
 * @param table - the table
 * @param signal - cancels the request
 * @returns `undefined` for other tables, and for a signature that may not read the record of indexes and sums. When the record cannot be
 * read for another reason, the warning says so, because the rows are written
 */
export async function warningOfKeptRows(
  table: RowTable,
  signal: AbortSignal,
): Promise<string | undefined> {
  const catalogues = { partitionKey: keptMark, rowKey: startsWith(`${keptMark}cat~`) }
  const query = table.query().where(catalogues).select('rowKey')
  try {
    const found = await query.firstOrUndefined({ signal })
    if (found === undefined) return undefined
    return `${table.name} has indexes or sums of @rowkey/patterns, which only programs with its models update. ${ADVICE}`
  } catch (error) {
    if (!isRowkeyError(error)) throw error
    if (lacksPermission(error)) return undefined
    return `The record of indexes and sums of ${table.name} could not be read: ${error.message} If it has any, only programs with its models update them. ${ADVICE}`
  }
}

const ADVICE = 'Where they may differ from the rows, run rowkey index repair --models.'
