import type { EntityKey } from '@rowkey/odata'
import type { Flavour } from '@rowkey/rest'
import type { SignedIdentifier } from '../access-policy/signed-identifier.ts'
import type { StoredEntity } from '../entity/stored-entity.ts'
import { EVERYTHING, type KeyRange } from '../keys/key-range.ts'
import { NEW_SERVICE, type ServiceProperties } from '../service-properties/service-properties.ts'

/** The next version of each row, or `undefined` for a row that is deleted. */
export type NextRows = readonly (StoredEntity | undefined)[]

/** Visits one thing, and tells whether to go on; by a promise, when others may run before. */
export type Visit<Seen extends readonly unknown[]> = (...seen: Seen) => boolean | Promise<boolean>

/** The rows of one table, ordered by PartitionKey, then RowKey, both by UTF-16 code units. */
export interface StoredTable {
  /** The name as the table was created. */
  readonly name: string
  /** Returns the row at a key. The cost does not depend on the number of rows. */
  get(key: EntityKey): Promise<StoredEntity | undefined>
  /**
   * Visits the rows of a range in order, until `visit` returns false or the range ends. It reads no
   * row outside the range, and all as they are at the beginning, whatever is written in the meantime.
   */
  scan(range: KeyRange, visit: Visit<[row: StoredEntity]>): Promise<void>
  /**
   * Changes rows atomically: reads them, lets `decide` return their next versions, and writes
   * these. No other write happens in between. When `decide` throws, nothing changes.
   *
   * @param keys - the rows, each once
   * @param decide - receives the current rows in the order of `keys`
   * @returns the result of `decide`
   */
  change(keys: readonly EntityKey[], decide: (rows: NextRows) => NextRows): Promise<NextRows>
  /** Returns the stored access policies in their order. */
  policies(): Promise<readonly SignedIdentifier[]>
  /** Replaces all stored access policies. */
  setPolicies(policies: readonly SignedIdentifier[]): Promise<void>
}

/**
 * Returns what all spellings of a table's name have in common: Azure Storage ignores case, and Cosmos DB does not.
 *
 * @param name - the name
 * @param flavour - the service that the table imitates
 */
export function foldedName(name: string, flavour: Flavour | undefined): string {
  return flavour === 'cosmos' ? name : name.toLowerCase()
}

/** The tables of all accounts. Names are compared as {@link foldedName} says. */
export interface TableStore {
  /** Adds an empty table; returns false when the name exists. */
  createTable(account: string, name: string): Promise<boolean>
  /** Drops a table with its rows; returns false when it does not exist. */
  dropTable(account: string, name: string): Promise<boolean>
  /** Finds a table by its name. */
  findTable(account: string, name: string): Promise<StoredTable | undefined>
  /** Returns the names of all tables as they were created, in their order. */
  tableNames(account: string): Promise<readonly string[]>
  /** Returns the properties of an account's service. */
  properties(account: string): Promise<ServiceProperties>
  /** Changes only the caller's properties. */
  setProperties(account: string, changes: Partial<ServiceProperties>): Promise<void>
  /**
   * Returns the reserved names of deleted tables, each with its end in milliseconds since 1970,
   * UTC.
   */
  keptNames(): Promise<ReadonlyMap<string, number>>
  /** Replaces all reserved names. */
  setKeptNames(names: ReadonlyMap<string, number>): Promise<void>
  /** Releases everything. */
  close(): Promise<void>
}

/** Rows to write at a time. */
const CHUNK = 1000

/**
 * Replaces the content of a store by that of another. Rows never change, so the two share them.
 *
 * @param accounts - the accounts whose tables and properties are copied
 */
export async function copyStore(
  from: TableStore,
  to: TableStore,
  accounts: readonly string[],
): Promise<void> {
  await clearStore(to, accounts)
  for (const account of accounts) {
    await to.setProperties(account, await from.properties(account))
    for (const name of await from.tableNames(account)) {
      await to.createTable(account, name)
      const source = await from.findTable(account, name)
      const target = await to.findTable(account, name)
      if (source !== undefined && target !== undefined) await copyTable(source, target)
    }
  }
}

/** Drops every table and resets all properties. */
export async function clearStore(store: TableStore, accounts: readonly string[]): Promise<void> {
  for (const account of accounts) {
    await store.setProperties(account, NEW_SERVICE)
    for (const name of await store.tableNames(account)) await store.dropTable(account, name)
  }
}

async function copyTable(from: StoredTable, to: StoredTable): Promise<void> {
  await to.setPolicies(await from.policies())
  const rows: StoredEntity[] = []
  await from.scan(EVERYTHING, (row) => rows.push(row) > 0)
  for (let first = 0; first < rows.length; first += CHUNK) {
    const chunk = rows.slice(first, first + CHUNK)
    await to.change(chunk, () => chunk)
  }
}
