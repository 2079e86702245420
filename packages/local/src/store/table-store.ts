import type { EntityKey } from '@rowkey/odata'
import type { SignedIdentifier } from '../access-policy/signed-identifier.ts'
import type { StoredEntity } from '../entity/stored-entity.ts'
import type { KeyRange } from '../keys/key-range.ts'
import type { ServiceProperties } from '../service-properties/service-properties.ts'

/** What rows become: the new version of each, or `undefined` where the row is gone. */
export type NextRows = readonly (StoredEntity | undefined)[]

/** The rows of one table, ordered by PartitionKey, then RowKey, both by UTF-16 code units. */
export interface StoredTable {
  /** The name as it was given when the table was created. */
  readonly name: string
  /** The row at one key. Costs the same however many rows there are. */
  get(key: EntityKey): Promise<StoredEntity | undefined>
  /**
   * Shows the rows of a range, in order, until `visit` returns false or the range ends. Rows
   * outside the range are not touched, and no write comes between two visits.
   */
  scan(range: KeyRange, visit: (row: StoredEntity) => boolean): Promise<void>
  /**
   * Changes the rows at some keys, all or none: reads them, lets `decide` say what they become, and
   * writes that, with no other write between. When `decide` throws, nothing has changed.
   *
   * @param keys - the rows, each once
   * @param decide - given the rows as they are, in the order of `keys`
   * @returns what `decide` returned
   */
  change(keys: readonly EntityKey[], decide: (rows: NextRows) => NextRows): Promise<NextRows>
  /** The stored access policies, in the order in which they were given. */
  policies(): Promise<readonly SignedIdentifier[]>
  /** Puts other policies in the place of all. */
  setPolicies(policies: readonly SignedIdentifier[]): Promise<void>
}

/** The tables of every account: what lies below the operations. */
export interface TableStore {
  /** Adds an empty table; false when there is one of that name in any case. */
  createTable(account: string, name: string): Promise<boolean>
  /** Drops a table and all its rows; false when there was none. */
  dropTable(account: string, name: string): Promise<boolean>
  /** The table of that name in any case. */
  findTable(account: string, name: string): Promise<StoredTable | undefined>
  /** Every table's name as it was given, ordered by the name in lower case. */
  tableNames(account: string): Promise<readonly string[]>
  /** The properties of an account's service; those of a new one when none were ever set. */
  properties(account: string): Promise<ServiceProperties>
  /** Changes the properties that are given, and no others. */
  setProperties(account: string, changes: Partial<ServiceProperties>): Promise<void>
  /** Names of deleted tables that are not free yet, each until a time in ms since 1970, UTC. */
  keptNames(): Promise<ReadonlyMap<string, number>>
  /** Puts other kept names in the place of all. */
  setKeptNames(names: ReadonlyMap<string, number>): Promise<void>
  /** Lets go of everything. */
  close(): Promise<void>
}
