import type { EntityKey } from '@rowkey/odata'
import type { Flavour } from '@rowkey/rest'
import sortedBTree from 'sorted-btree'
import type { SignedIdentifier } from '../access-policy/signed-identifier.ts'
import type { StoredEntity } from '../entity/stored-entity.ts'
import { type KeyRange, printStoreKey } from '../keys/key-range.ts'
import { NEW_SERVICE, type ServiceProperties } from '../service-properties/service-properties.ts'
import {
  foldedName,
  type NextRows,
  type StoredTable,
  type TableStore,
  type Visit,
} from './table-store.ts'

/** Keeps tables in memory until the process ends. */
export class MemoryStore implements TableStore {
  readonly #accounts = new Map<string, Map<string, MemoryTable>>()
  readonly #properties = new Map<string, ServiceProperties>()
  readonly #flavour: Flavour
  #keptNames: ReadonlyMap<string, number> = new Map()

  /** @param flavour - the service that the tables imitate */
  constructor(flavour: Flavour = 'storage') {
    this.#flavour = flavour
  }

  async createTable(account: string, name: string): Promise<boolean> {
    const tables = this.#tablesOf(account)
    const folded = foldedName(name, this.#flavour)
    if (tables.has(folded)) return false
    tables.set(folded, new MemoryTable(name))
    return true
  }

  async dropTable(account: string, name: string): Promise<boolean> {
    return this.#tablesOf(account).delete(foldedName(name, this.#flavour))
  }

  async findTable(account: string, name: string): Promise<StoredTable | undefined> {
    const tables = this.#tablesOf(account)
    return tables.get(name) ?? tables.get(foldedName(name, this.#flavour))
  }

  async tableNames(account: string): Promise<readonly string[]> {
    const tables = [...this.#tablesOf(account)]
    tables.sort(([a], [b]) => compareText(a, b))
    return tables.map(([, table]) => table.name)
  }

  async properties(account: string): Promise<ServiceProperties> {
    return this.#properties.get(account) ?? NEW_SERVICE
  }

  async setProperties(account: string, changes: Partial<ServiceProperties>): Promise<void> {
    const properties = this.#properties.get(account) ?? NEW_SERVICE
    this.#properties.set(account, { ...properties, ...changes })
  }

  async keptNames(): Promise<ReadonlyMap<string, number>> {
    return this.#keptNames
  }

  async setKeptNames(names: ReadonlyMap<string, number>): Promise<void> {
    this.#keptNames = names
  }

  async close(): Promise<void> {
    this.#accounts.clear()
    this.#properties.clear()
    this.#keptNames = new Map()
  }

  #tablesOf(account: string): Map<string, MemoryTable> {
    let tables = this.#accounts.get(account)
    if (tables === undefined) {
      tables = new Map()
      this.#accounts.set(account, tables)
    }
    return tables
  }
}

/** Ends a walk over a tree. */
const STOP = { break: true }

/** A table in memory. Every method does its work before it first awaits, which makes it atomic. */
class MemoryTable implements StoredTable {
  readonly name: string
  /** By {@link printStoreKey}. */
  readonly #rows = new BTree<string, StoredEntity>(undefined, compareText)
  #policies: readonly SignedIdentifier[] = []

  constructor(name: string) {
    this.name = name
  }

  async get({ partitionKey, rowKey }: EntityKey): Promise<StoredEntity | undefined> {
    return this.#rows.get(printStoreKey(partitionKey, rowKey))
  }

  async scan({ low, high }: KeyRange, visit: Visit<[row: StoredEntity]>): Promise<void> {
    const end = high ?? this.#rows.maxKey() ?? ''
    let rows = this.#rows
    let from = low
    let visited: string | undefined
    for (;;) {
      let goesOn: boolean | Promise<boolean> = false
      rows.forRange(from, end, high === undefined, (key, row) => {
        if (key === visited) return undefined
        goesOn = visit(row)
        if (goesOn === true) return undefined
        from = key
        return STOP
      })
      if (typeof goesOn === 'boolean') return
      // Shares what is not written in the meantime.
      if (rows === this.#rows) rows = rows.clone()
      visited = from
      if (!(await goesOn)) return
    }
  }

  async change(
    keys: readonly EntityKey[],
    decide: (rows: NextRows) => NextRows,
  ): Promise<NextRows> {
    const storeKeys = keys.map(({ partitionKey, rowKey }) => printStoreKey(partitionKey, rowKey))
    const next = decide(storeKeys.map((key) => this.#rows.get(key)))
    storeKeys.forEach((key, at) => {
      const row = next[at]
      if (row === undefined) this.#rows.delete(key)
      else this.#rows.set(key, row)
    })
    return next
  }

  async policies(): Promise<readonly SignedIdentifier[]> {
    return this.#policies
  }

  async setPolicies(policies: readonly SignedIdentifier[]): Promise<void> {
    this.#policies = policies
  }
}

type BTreeModule = typeof sortedBTree

/**
 * The class of sorted-btree. The package is CommonJS with a default export: the default import is
 * its whole `module.exports` on Node, and the class itself in most bundlers.
 */
export const BTree: BTreeModule['default'] = sortedBTree.default ?? sortedBTree

/** Compares strings by UTF-16 code units, as the service does. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
