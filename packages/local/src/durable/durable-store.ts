import { resolve } from 'node:path'
import { type DateTimeValue, parseDateTime } from '@rowkey/odata'
import type { Flavour } from '@rowkey/rest'
import type { SignedIdentifier } from '../access-policy/signed-identifier.ts'
import { closedStore, foreignStore } from '../errors/store-error.ts'
import { EVERYTHING } from '../keys/key-range.ts'
import { NEW_SERVICE, type ServiceProperties } from '../service-properties/service-properties.ts'
import { compareText } from '../store/memory-store.ts'
import { foldedName, type StoredTable, type TableStore } from '../store/table-store.ts'
import { DurableTable, type TablePolicies } from './durable-table.ts'
import {
  CLOCK_KEY,
  droppedKey,
  FLAVOUR_KEY,
  KEPT_NAMES_KEY,
  NEXT_TABLE_KEY,
  policiesKey,
  propertiesKey,
  RECORDS,
  rowRange,
  tableKey,
} from './record-key.ts'
import { Records } from './records.ts'
import {
  parseKeptNames,
  parsePolicies,
  parseProperties,
  parseTable,
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
  #closed: Promise<void> | undefined

  constructor(options: DurableStoreOptions) {
    this.#folder = resolve(options.folder)
    this.#options = options
  }

  async open(): Promise<void> {
    await this.#opened()
  }

  async createTable(account: string, name: string): Promise<boolean> {
    const open = await this.#opened()
    const key = this.#keyOf(account, name)
    const record = await open.records.commit((draft): TableRecord | undefined => {
      if (draft.get(key) !== undefined) return undefined
      if (this.#options.flavour === 'cosmos') draft.put(FLAVOUR_KEY, 'cosmos')
      const id = Number(draft.get(NEXT_TABLE_KEY) ?? 1)
      draft.put(NEXT_TABLE_KEY, String(id + 1))
      draft.put(key, printTable({ account, name, id }))
      return { account, name, id }
    })
    if (record !== undefined) open.tables.set(key, new DurableTable(open, key, record))
    return record !== undefined
  }

  async dropTable(account: string, name: string): Promise<boolean> {
    const { records, tables, policies } = await this.#opened()
    const key = this.#keyOf(account, name)
    const table = tables.get(key)
    if (table === undefined) return false
    const { id } = table.record
    const isDropped = await records.commit((draft) => {
      if (draft.get(key) !== printTable(table.record)) return false
      draft.delete(key)
      draft.delete(policiesKey(id))
      draft.put(droppedKey(id), String(id))
      return true
    })
    policies.delete(id)
    // Not a later table with its name.
    if (tables.get(key)?.record.id === id) tables.delete(key)
    if (isDropped) this.#remove(records, id)
    return isDropped
  }

  async findTable(account: string, name: string): Promise<StoredTable | undefined> {
    return (await this.#opened()).tables.get(this.#keyOf(account, name))
  }

  async tableNames(account: string): Promise<readonly string[]> {
    const { tables } = await this.#opened()
    const found = [...tables].filter(([, { record }]) => record.account === account)
    found.sort(([a], [b]) => compareText(a, b))
    return found.map(([, { name }]) => name)
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

  /** Closes once: after that, the folder may belong to another store. */
  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  async #close(): Promise<void> {
    this.#closing.abort()
    // A store that could not be opened has nothing to close.
    const open = await this.#open?.catch(() => undefined)
    await Promise.all(this.#removals)
    await open?.records.close()
  }

  #keyOf(account: string, name: string): string {
    return tableKey(account, foldedName(name, this.#options.flavour))
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
      const open = await openStore(this.#folder, this.#options.flavour)
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

/** The state that a durable store keeps in memory while it is open: everything except rows. */
interface OpenStore {
  /** All records in the folder. */
  readonly records: Records
  /** The tables of all accounts, by the keys of their records. */
  readonly tables: Map<string, DurableTable>
  /** By the number of the table; absent for a table whose policies were never set. */
  readonly policies: TablePolicies
  /** By account; absent for an account whose properties were never set. */
  readonly properties: Map<string, ServiceProperties>
  /** The latest Timestamp; absent without rows. */
  readonly latest: DateTimeValue | undefined
  /** The numbers of dropped tables with rows left to remove. */
  readonly dropped: readonly number[]
}

/**
 * Opens a store and reads everything but rows.
 *
 * @throws StoreError when the folder cannot be used, its files are damaged, or its tables imitate another service
 */
async function openStore(folder: string, flavour: Flavour): Promise<OpenStore> {
  const records = await Records.open(folder)
  try {
    const made = await flavourOf(records)
    if (made !== undefined && made !== flavour) throw foreignStore(folder, made, flavour)
    return await readStore(records)
  } catch (error) {
    // Otherwise the folder would stay locked.
    await records.close()
    throw error
  }
}

/** Returns the service that the tables imitate; `undefined` before the first table. */
async function flavourOf(records: Records): Promise<Flavour | undefined> {
  if ((await records.get(FLAVOUR_KEY)) !== undefined) return 'cosmos'
  return (await records.get(NEXT_TABLE_KEY)) === undefined ? undefined : 'storage'
}

async function readStore(records: Records): Promise<OpenStore> {
  const cached = { records, tables: new Map(), policies: new Map(), properties: new Map() }
  await load(cached)
  // A write that failed may have reached the log: it is made when the engine reads the log again.
  records.onReopen = () => load(cached)
  const dropped: number[] = []
  await records.scan(RECORDS.dropped, (text) => dropped.push(Number(text)) > 0)
  const latest = await records.get(CLOCK_KEY)
  return { ...cached, latest: latest === undefined ? undefined : parseDateTime(latest), dropped }
}

/** The part of the state that a later write may change. */
type Cached = Pick<OpenStore, 'records' | 'tables' | 'policies' | 'properties'>

async function load(cached: Cached): Promise<void> {
  const { records } = cached
  const tables: [string, DurableTable][] = []
  const policies: [number, readonly SignedIdentifier[]][] = []
  const properties: [string, ServiceProperties][] = []
  await records.scan(RECORDS.tables, (text, key) => {
    return tables.push([key, new DurableTable(cached, key, parseTable(text))]) > 0
  })
  await records.scan(RECORDS.policies, (text) => {
    const record = parsePolicies(text)
    return policies.push([record.table, record.policies]) > 0
  })
  await records.scan(RECORDS.properties, (text) => {
    const record = parseProperties(text)
    return properties.push([record.account, record.properties]) > 0
  })
  replaceAll(cached.tables, tables)
  replaceAll(cached.policies, policies)
  replaceAll(cached.properties, properties)
}

function replaceAll<Key, Value>(map: Map<Key, Value>, entries: readonly [Key, Value][]): void {
  map.clear()
  for (const [key, value] of entries) map.set(key, value)
}
