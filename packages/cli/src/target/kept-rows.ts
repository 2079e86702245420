import type { Shell } from '../shell/shell.ts'
import type { RowTable } from './open-account.ts'

/** The partition where `@rowkey/patterns` records which indexes and sums a table has. */
const CATALOGUE = 'rowkeyindex_'

/**
 * Warns after a command has written rows of a table with indexes or sums, because only programs with its models keep them. A signature
 * that may not read the record of them gets no warning.
 *
 * @param shell - the shell
 * @param table - the table
 */
export async function warnOfKeptRows(shell: Shell, table: RowTable): Promise<void> {
  const query = table.query().where({ partitionKey: CATALOGUE }).select('rowKey')
  const found = await query.firstOrUndefined({ signal: shell.signal }).catch(() => undefined)
  if (found === undefined) return
  shell.warn(
    `${table.name} has indexes or sums of @rowkey/patterns, which rowkey does not update. Where they may differ from the rows, call repair() of the indexes and rebuild() of the sums.\n`,
  )
}
