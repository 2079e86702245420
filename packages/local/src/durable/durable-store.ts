import { resolve } from 'node:path'
import type { DateTimeValue } from '@rowkey/odata'
import type { Flavour } from '@rowkey/rest'
import { closedStore, foreignStore } from '../errors/store-error.ts'
import { EVERYTHING } from '../keys/key-range.ts'
import { NEW_SERVICE, type ServiceProperties } from '../service-properties/service-properties.ts'
import type { StoredTable, TableStore } from '../store/table-store.ts'
import { DurableTable } from './durable-table.ts'
import { type OpenStore, openStore } from './open-store.ts'
import {
  droppedKey,
  FLAVOUR_KEY,
  KEPT_NAMES_KEY,
  NEXT_TABLE_KEY,
  policiesKey,
  propertiesKey,
  rowRange,
  tableKey,
} from './record-key.ts'
import type { Records } from './records.ts'
import {
  parseKeptNames,
  parseProperties,
  printKeptNames,
  printProperties,
  printTable,
  type TableRecord,
} from './table-text.ts'

/** The parts of a {@link DurableStore}. */
interface DurableStoreOptions {
  /** The folder of its files. */
  readonly folder: string
  /** The service that its tables imitate. A folder belongs to the flavour of its first table. */
  readonly flavour: Flavour
  /** Receives the latest Timestamp of the store before anything is written. */
  onOpen(latest: DateTimeValue | undefined): void
  /** Receives errors that no caller waits for. */
  report(error: unknown): void
}

/** Keeps tables in a folder, which is opened on first use. */
export class DurableStore implements TableStore {
  readonly #folder: string
  readonly #options: DurableStoreOptions
  readonly #closing = new AbortController()
  readonly #removals = new Set<Promise<void>>()
  #open: Promise<OpenStore> | undefined

  constructor(options: DurableStoreOptions) {
    this.#folder = resolve(options.folder)
    this.#options = options
  }

  async open(): Promise<void> {
    await this.#opened()
  }

  async createTable(account: string, name: string): Promise<boolean> {
    const { records, tables } = await this.#opened()
    const key = tableKey(account, name.toLowerCase())
    const record = await records.commit((draft): TableRecord | undefined => {
      if (draft.get(key) !== undefined) return undefined
      if (this.#options.flavour === 'cosmos') draft.put(FLAVOUR_KEY, 'cosmos')
      const id = Number(draft.get(NEXT_TABLE_KEY) ?? 1)
      draft.put(NEXT_TABLE_KEY, String(id + 1))
      draft.put(key, printTable({ account, name, id }))
      return { account, name, id }
    })
    if (record !== undefined) tables.add(new DurableTable(records, record))
    return record !== undefined
  }

  async dropTable(account: string, name: string): Promise<boolean> {
    const { records, tables } = await this.#opened()
    const table = tables.find(account, name)
    if (table === undefined) return false
    const { id } = table.record
    const key = tableKey(account, name.toLowerCase())
    const isDropped = await records.commit((draft) => {
      if (draft.get(key) !== printTable(table.record)) return false
      draft.delete(key)
      draft.delete(policiesKey(id))
      draft.put(droppedKey(id), String(id))
      return true
    })
    tables.remove(table.record)
    if (isDropped) this.#remove(records, id)
    return isDropped
  }

  async findTable(account: string, name: string): Promise<StoredTable | undefined> {
    return (await this.#opened()).tables.find(account, name)
  }

  async tableNames(account: string): Promise<readonly string[]> {
    return (await this.#opened()).tables.names(account)
  }

  async properties(account: string): Promise<ServiceProperties> {
    return (await this.#opened()).properties.get(account) ?? NEW_SERVICE
  }

  async setProperties(account: string, changes: Partial<ServiceProperties>): Promise<void> {
    const { records, properties } = await this.#opened()
    const key = propertiesKey(account)
    const changed = await records.commit((draft) => {
      const text = draft.get(key)
      const before = text === undefined ? NEW_SERVICE : parseProperties(text).properties
      const after = { ...before, ...changes }
      draft.put(key, printProperties({ account, properties: after }))
      return after
    })
    properties.set(account, changed)
  }

  async keptNames(): Promise<ReadonlyMap<string, number>> {
    const { records } = await this.#opened()
    return parseKeptNames((await records.get(KEPT_NAMES_KEY)) ?? '[]')
  }

  async setKeptNames(names: ReadonlyMap<string, number>): Promise<void> {
    const { records } = await this.#opened()
    await records.commit((draft) => draft.put(KEPT_NAMES_KEY, printKeptNames(names)))
  }

  async close(): Promise<void> {
    this.#closing.abort()
    // A store that could not be opened has nothing to close.
    const open = await this.#open?.catch(() => undefined)
    await Promise.all(this.#removals)
    await open?.records.close()
  }

  #opened(): Promise<OpenStore> {
    if (this.#closing.signal.aborted) {
      return Promise.reject(closedStore(this.#folder))
    }
    this.#open ??= this.#start()
    return this.#open
  }

  async #start(): Promise<OpenStore> {
    try {
      const open = await openStore(this.#folder)
      if (open.flavour !== undefined && open.flavour !== this.#options.flavour) {
        await open.records.close()
        throw foreignStore(this.#folder, open.flavour, this.#options.flavour)
      }
      this.#options.onOpen(open.latest)
      for (const table of open.dropped) this.#remove(open.records, table)
      return open
    } catch (error) {
      // The next caller tries again: the cause may be gone.
      this.#open = undefined
      throw error
    }
  }

  #remove(records: OpenStore['records'], table: number): void {
    const removal = removeRows(records, table, this.#closing.signal)
      .catch((error: unknown) => this.#options.report(error))
      .finally(() => this.#removals.delete(removal))
    this.#removals.add(removal)
  }
}

/** Rows to remove at a time, between the writes of others. */
const REMOVED_AT_ONCE = 500

/**
 * Removes the rows of a dropped table, which are invisible already.
 *
 * @param table - the number of the table
 * @param signal - ends the work early; the next opening continues it
 */
export async function removeRows(
  records: Records,
  table: number,
  signal: AbortSignal,
): Promise<void> {
  const range = rowRange(table, EVERYTHING)
  while (!signal.aborted) {
    const keys: string[] = []
    await records.scan(range, (_text, key) => keys.push(key) < REMOVED_AT_ONCE)
    await records.commit((draft) => {
      for (const key of keys) draft.delete(key)
      if (keys.length < REMOVED_AT_ONCE) draft.delete(droppedKey(table))
    })
    if (keys.length < REMOVED_AT_ONCE) return
  }
}
