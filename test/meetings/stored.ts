import type { LocalTableService } from '@rowkey/local'
import type { Model } from './axes/models.ts'
import { ACCOUNTS, type AccountName, BEGINNING, type RawRow, rawRows } from './raw-rows.ts'

/** What a row says, whatever model it has: its name and note, and what no write of a cell touches, with its types. */
export type Facts = Readonly<Record<string, unknown>>

/** A row as it is stored. */
export interface StoredRow {
  readonly facts: Facts
  readonly etag: string
  readonly raw: RawRow
}

/** The rows of a cell at one moment, by their places. */
export type Stored = ReadonlyMap<string, StoredRow>

/** Where a row is: its table and key. A cell has a table and a copy of it in each account. */
export function placeOf(
  rowKey: string,
  table: 'people' | 'copy' = 'people',
  account: AccountName = ACCOUNTS[0],
): string {
  return `${account} ${table} ${rowKey}`
}

const SHOWN = ['note', 'ratio', 'points', 'seen', 'extra', 'nick', 'size']

/** Reads the facts of a row without the code under test. */
export function factsOf({ nameIn = ({ name }) => name }: Model, raw: RawRow): Facts {
  const isPerson = String(raw.RowKey).startsWith(BEGINNING)
  const shown = SHOWN.flatMap((name) => [`${name}@odata.type`, name]).filter((name) => name in raw)
  const facts = shown.map((name) => [name, raw[name]] as const)
  return { ...(isPerson && { name: nameIn(raw) }), ...Object.fromEntries(facts) }
}

/** Reads all rows of a cell that are people or groups. */
export async function storedRows(
  {
    local,
    time,
  }: { readonly local: LocalTableService; readonly time: { readonly now: () => number } },
  model: Model,
  tables: Readonly<Record<'people' | 'copy', string>>,
): Promise<Stored> {
  const rows = new Map<string, StoredRow>()
  for (const account of ACCOUNTS) {
    for (const table of ['people', 'copy'] as const) {
      for (const raw of await rawRows(local, account, tables[table], time.now())) {
        if (!/^[pq]_/.test(String(raw.RowKey)) || model.isHidden?.(raw)) continue
        const etag = String(raw['odata.etag'])
        rows.set(placeOf(String(raw.RowKey), table, account), {
          facts: factsOf(model, raw),
          etag,
          raw,
        })
      }
    }
  }
  return rows
}
