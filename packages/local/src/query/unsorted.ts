import { decodeBase64UrlText, type EntityKey, encodeBase64UrlText } from '@rowkey/odata'
import type { StoredEntity } from '../entity/stored-entity.ts'
import { type KeyRange, printStoreKey } from '../keys/key-range.ts'
import { Rejection } from '../rejection/rejection.ts'
import type { StoredTable } from '../store/table-store.ts'

/** Cosmos DB has one opaque token for rows; its second part always is this. */
export const NO_ROW = 'NA'

/**
 * Returns the position of a row in Cosmos DB's responses, by hashes of its keys. The order is
 * the same each time, and has nothing to do with the order of keys.
 */
export function placeOfRow({ partitionKey, rowKey }: EntityKey): string {
  return `${hash(partitionKey)}${hash(rowKey)}${printStoreKey(partitionKey, rowKey)}`
}

/** Returns the position of a table in Cosmos DB's responses. */
export function placeOfTable(name: string): string {
  return `${hash(name)}${name}`
}

/**
 * Visits the rows of a range in the order of their places, until `visit` returns false. It reads the
 * whole range first.
 *
 * @param from - the place to begin at; empty for the first
 */
export async function scanUnsorted(
  table: StoredTable,
  { range, from }: { readonly range: KeyRange; readonly from: string },
  visit: (row: StoredEntity) => boolean,
): Promise<void> {
  const rows: { place: string; row: StoredEntity }[] = []
  await table.scan(range, (row) => {
    const place = placeOfRow(row)
    if (place >= from) rows.push({ place, row })
    return true
  })
  rows.sort((a, b) => (a.place < b.place ? -1 : 1))
  for (const { row } of rows) {
    if (!visit(row)) return
  }
}

const ROWS = /^\{"token":"([A-Za-z0-9+/]+={0,2})","range":\{"min":"","max":"FF"\}\}$/
const TABLES = /^\+RID:~([A-Za-z0-9+/]+={0,2})#RT:1#TRC:\d+$/

/** Prints the token of a page of rows that begins at a place. */
export function printRowsToken(place: string): string {
  return `{"token":"${toBase64(place)}","range":{"min":"","max":"FF"}}`
}

/**
 * Reads the place in a token of {@link printRowsToken}.
 *
 * @throws Rejection InvalidInput
 */
export function parseRowsToken(token: string): string {
  return fromBase64(ROWS.exec(token)?.[1])
}

/**
 * Prints the token of a page of tables that begins at a place.
 *
 * @param count - how many tables the page before had
 */
export function printTablesToken(place: string, count: number): string {
  return `+RID:~${toBase64(place)}#RT:1#TRC:${count}`
}

/**
 * Reads the place in a token of {@link printTablesToken}.
 *
 * @throws Rejection InvalidInput
 */
export function parseTablesToken(token: string): string {
  return fromBase64(TABLES.exec(token)?.[1])
}

function toBase64(text: string): string {
  const base64 = encodeBase64UrlText(text).replaceAll('-', '+').replaceAll('_', '/')
  return base64.padEnd(Math.ceil(base64.length / 4) * 4, '=')
}

function fromBase64(base64 = '?'): string {
  const url = base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  const text = decodeBase64UrlText(url)
  if (text === undefined) throw new Rejection('InvalidInput')
  return text
}

const OFFSET = 0x811c9dc5
const PRIME = 0x01000193

/** FNV-1a over UTF-16 units, as eight hexadecimal digits. */
function hash(text: string): string {
  let value = OFFSET
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), PRIME)
  return (value >>> 0).toString(16).padStart(8, '0')
}
