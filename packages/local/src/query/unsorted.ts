import { type EntityKey, fnv1a } from '@rowkey/odata'
import type { StoredEntity } from '../entity/stored-entity.ts'
import { printStoreKey } from '../keys/key-range.ts'
import { Rejection } from '../rejection/rejection.ts'
import { parseBase64, printBase64 } from './query-options.ts'

const ROWS = /^\{"token":"([A-Za-z0-9+/]+={0,2})","range":\{"min":"","max":"FF"\}\}$/
const TABLES = /^\+RID:~([A-Za-z0-9+/]+={0,2})#RT:1#TRC:\d+$/

/**
 * The order of rows in Cosmos DB's responses, by hashes of their keys. It is the same each time, and has
 * nothing to do with the order of keys. Pages have one opaque token, which names the place to begin at.
 */
export const unsortedRows = {
  /** Returns the place of a row. */
  placeOf({ partitionKey, rowKey }: EntityKey): string {
    return `${hash(partitionKey)}${hash(rowKey)}${printStoreKey(partitionKey, rowKey)}`
  },

  /**
   * Collects all rows in the order of their places.
   *
   * @param from - the place to begin at; empty for the first
   * @param read - hands over all rows
   */
  async collect(
    from: string,
    read: (take: (row: StoredEntity) => void) => Promise<void>,
  ): Promise<readonly StoredEntity[]> {
    const rows: { place: string; row: StoredEntity }[] = []
    await read((row) => {
      const place = unsortedRows.placeOf(row)
      if (place >= from) rows.push({ place, row })
    })
    rows.sort((a, b) => (a.place < b.place ? -1 : 1))
    return rows.map(({ row }) => row)
  },

  /** Prints the token of a page that begins at a place: the parts for a PartitionKey and a RowKey. */
  printToken(place: string): readonly [string, 'NA'] {
    return [`{"token":"${printBase64(place, '=')}","range":{"min":"","max":"FF"}}`, 'NA']
  },

  /**
   * Reads the place in the first part of a token.
   *
   * @throws Rejection InvalidInput
   */
  parseToken(token: string): string {
    return placeIn(ROWS.exec(token)?.[1])
  },
}

/** The order of the tables in a listing, and how a token tells where a page begins. */
export interface TableOrder {
  readonly placeOf: (name: string) => string
  /** Prints the token of a page; `count` is the number of tables in the page before. */
  readonly printToken: (place: string, count: number) => string
  /** Reads the place in a token, or throws a Rejection InvalidInput. */
  readonly parseToken: (token: string) => string
}

/** The order of tables in Cosmos DB's responses, by hashes of their names. */
export const unsortedTables: TableOrder = {
  placeOf: (name) => `${hash(name)}${name}`,
  printToken: (place, count) => `+RID:~${printBase64(place, '=')}#RT:1#TRC:${count}`,
  parseToken: (token) => placeIn(TABLES.exec(token)?.[1]),
}

function placeIn(base64 = '?'): string {
  const text = parseBase64(base64.replaceAll('=', ''))
  if (text === undefined) throw new Rejection('InvalidInput')
  return text
}

/** Eight hexadecimal digits. */
function hash(text: string): string {
  return fnv1a(text).toString(16).padStart(8, '0')
}
