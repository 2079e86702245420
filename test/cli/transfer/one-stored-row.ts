import { type Account, DynamicEntity } from 'rowkey'
import { printRowLine } from '../../../packages/cli/src/rows/row-line.ts'

/** Makes the table `stored` anew, with one row. */
export async function storeOneRow(account: Account): Promise<void> {
  const stored = account.table('stored')
  await stored.dropIfExists()
  await stored.create()
  await stored.insert(new DynamicEntity('a', '1', { n: 0, kept: true }))
}

/** Returns a row with the key of the stored one, and another. */
export const twoRows = (n: number): readonly [DynamicEntity, DynamicEntity] => [
  new DynamicEntity('a', '1', { n }),
  new DynamicEntity('a', '2', { n }),
]

/** Returns the text of a file of rows. */
export const textOf = (rows: readonly DynamicEntity[]): string =>
  rows.map((row) => `${printRowLine(row)}\n`).join('')
