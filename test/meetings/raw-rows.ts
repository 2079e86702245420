import { createHmac } from 'node:crypto'
import type { LocalTableService } from '@rowkey/local'

/** The account of the programs of a cell, and another one beside it. */
export const ACCOUNTS = ['contoso', 'fabrikam'] as const
/** The key of both accounts. */
export const KEY: string = Buffer.from('a key that guards nothing').toString('base64')
/** The partition of every row, with text beyond ASCII and beyond one UTF-16 unit. */
export const PARTITION = 'Zürich 東京 🙂'

/** How the RowKeys of people begin. */
export const BEGINNING = 'p_'

/** A row as the service stores it, in its JSON. */
export type RawRow = Readonly<Record<string, unknown>>

/** A Double in JSON, which a parser would take for an Int32. */
const WHOLE_DOUBLE = /(?<="):(-?\d+\.\d+)(?=[,}])/g

/** The name of an account. */
export type AccountName = (typeof ACCOUNTS)[number]

/**
 * Reads the rows of a table by requests that are written and signed here, past every client.
 *
 * @param local - the service
 * @param account - the account
 * @param table - the table's name
 * @param time - milliseconds since 1970, UTC, on the service's clock
 */
export async function rawRows(
  local: LocalTableService,
  account: AccountName,
  table: string,
  time: number,
): Promise<readonly RawRow[]> {
  const path = `/${account}/${encodeURIComponent(table)}()`
  const date = new Date(time).toUTCString()
  const signature = createHmac('sha256', Buffer.from(KEY, 'base64'))
    .update(`${date}\n/${account}${path}`)
    .digest('base64')
  const { status, body } = await local.transport({
    method: 'GET',
    origin: 'http://localhost',
    path,
    query: '',
    headers: {
      accept: 'application/json;odata=fullmetadata',
      'x-ms-date': date,
      authorization: `SharedKeyLite ${account}:${signature}`,
    },
    body: undefined,
  })
  if (status !== 200) throw new Error(`${path}: ${status} ${body}`)
  return JSON.parse(body.replace(WHOLE_DOUBLE, ':"$1 as Double"')).value
}
