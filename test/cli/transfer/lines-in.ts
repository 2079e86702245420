import type { Account } from 'rowkey'
import { printRowLine } from '../../../packages/cli/src/rows/row-line.ts'

/** Returns all rows of a table as lines, without Timestamps. */
export async function linesIn(account: Account, name: string): Promise<readonly string[]> {
  const rows = await account.table(name).query().allowTableScan().toArray()
  return rows.map((row) => {
    delete row.timestamp
    return printRowLine(row)
  })
}
