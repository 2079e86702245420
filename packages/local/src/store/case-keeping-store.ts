import type { ServiceProperties } from '../service-properties/service-properties.ts'
import type { StoredTable, TableStore } from './table-store.ts'

/**
 * Lets a store tell table names apart by case, as Cosmos DB does. Stores find a table in any case, so
 * `^` marks each letter that is not in lower case: `People` becomes `^people`.
 */
export class CaseKeepingStore implements TableStore {
  readonly #store: TableStore

  constructor(store: TableStore) {
    this.#store = store
  }

  createTable(account: string, name: string): Promise<boolean> {
    return this.#store.createTable(account, markCase(name))
  }

  dropTable(account: string, name: string): Promise<boolean> {
    return this.#store.dropTable(account, markCase(name))
  }

  async findTable(account: string, name: string): Promise<StoredTable | undefined> {
    const table = await this.#store.findTable(account, markCase(name))
    return table && named(table, name)
  }

  async tableNames(account: string): Promise<readonly string[]> {
    return (await this.#store.tableNames(account)).map(readMarked)
  }

  properties(account: string): Promise<ServiceProperties> {
    return this.#store.properties(account)
  }

  setProperties(account: string, changes: Partial<ServiceProperties>): Promise<void> {
    return this.#store.setProperties(account, changes)
  }

  keptNames(): Promise<ReadonlyMap<string, number>> {
    return this.#store.keptNames()
  }

  setKeptNames(names: ReadonlyMap<string, number>): Promise<void> {
    return this.#store.setKeptNames(names)
  }

  close(): Promise<void> {
    return this.#store.close()
  }
}

/** Prints a name so that two names never differ in case alone. */
export function markCase(name: string): string {
  return Array.from(name, (letter) => {
    if (letter === MARK) return MARK + MARK
    const lower = letter.toLowerCase()
    // Letters without a way back, such as the dotted I, stay as they are.
    return lower !== letter && lower.toUpperCase() === letter ? MARK + lower : letter
  }).join('')
}

/** Reads a name that {@link markCase} printed. */
export function readMarked(marked: string): string {
  return marked.replace(EACH_MARKED, (_, letter: string) => letter.toUpperCase())
}

const MARK = '^'
const EACH_MARKED = /\^(.)/gsu

function named(table: StoredTable, name: string): StoredTable {
  return {
    name,
    get: (key) => table.get(key),
    scan: (range, visit) => table.scan(range, visit),
    change: (keys, decide) => table.change(keys, decide),
    policies: () => table.policies(),
    setPolicies: (policies) => table.setPolicies(policies),
  }
}
