import { type DateTimeValue, parseDateTime } from '@rowkey/odata'
import type { Flavour } from '@rowkey/rest'
import type { SignedIdentifier } from '../access-policy/signed-identifier.ts'
import type { ServiceProperties } from '../service-properties/service-properties.ts'
import { compareText } from '../store/memory-store.ts'
import { DurableTable } from './durable-table.ts'
import {
  CLOCK_KEY,
  DROPPED,
  FLAVOUR_KEY,
  NEXT_TABLE_KEY,
  POLICIES,
  PROPERTIES,
  TABLES,
} from './record-key.ts'
import { Records } from './records.ts'
import { parsePolicies, parseProperties, parseTable, type TableRecord } from './table-text.ts'

/** The state that a durable store keeps in memory while it is open: everything except rows. */
export interface OpenStore {
  /** All records in the folder. */
  readonly records: Records
  /** The tables of all accounts. */
  readonly tables: DurableTables
  /** By account; absent for an account whose properties were never set. */
  readonly properties: Map<string, ServiceProperties>
  /** The service that the tables imitate; `undefined` before the first table. */
  readonly flavour: Flavour | undefined
  /** The latest Timestamp; absent without rows. */
  readonly latest: DateTimeValue | undefined
  /** The numbers of dropped tables with rows left to remove. */
  readonly dropped: readonly number[]
}

/**
 * Opens a store and reads everything but rows.
 *
 * @throws StoreError when the folder cannot be used or its files are damaged
 */
export async function openStore(folder: string): Promise<OpenStore> {
  const records = await Records.open(folder)
  const properties = new Map<string, ServiceProperties>()
  await records.scan(PROPERTIES, (text) => {
    const record = parseProperties(text)
    return properties.set(record.account, record.properties) !== undefined
  })
  const dropped: number[] = []
  await records.scan(DROPPED, (text) => dropped.push(Number(text)) > 0)
  const latest = await records.get(CLOCK_KEY)
  const isCosmos = (await records.get(FLAVOUR_KEY)) !== undefined
  const isUsed = (await records.get(NEXT_TABLE_KEY)) !== undefined
  return {
    records,
    flavour: isCosmos ? 'cosmos' : isUsed ? 'storage' : undefined,
    tables: await DurableTables.load(records),
    properties,
    latest: latest === undefined ? undefined : parseDateTime(latest),
    dropped,
  }
}

/** The tables of an open durable store, by account and name in lower case. */
class DurableTables {
  readonly #accounts = new Map<string, Map<string, DurableTable>>()

  /** Loads the tables. */
  static async load(records: Records): Promise<DurableTables> {
    const tables = new DurableTables()
    const policies = new Map<number, readonly SignedIdentifier[]>()
    await records.scan(POLICIES, (text) => {
      const record = parsePolicies(text)
      return policies.set(record.table, record.policies) !== undefined
    })
    await records.scan(TABLES, (text) => {
      const record = parseTable(text)
      tables.add(new DurableTable(records, record, policies.get(record.id)))
      return true
    })
    return tables
  }

  /** Finds a table by its name in any case. */
  find(account: string, name: string): DurableTable | undefined {
    return this.#accounts.get(account)?.get(name.toLowerCase())
  }

  /** Returns the names of all tables as they were created, ordered by the name in lower case. */
  names(account: string): string[] {
    const tables = [...(this.#accounts.get(account) ?? [])]
    tables.sort(([a], [b]) => compareText(a, b))
    return tables.map(([, table]) => table.name)
  }

  /** Adds a table. It replaces one with the same name in any case. */
  add(table: DurableTable): void {
    const { account, name } = table.record
    const tables = this.#accounts.get(account) ?? new Map<string, DurableTable>()
    this.#accounts.set(account, tables.set(name.toLowerCase(), table))
  }

  /** Removes a table, but not a later one with its name. */
  remove({ account, name, id }: TableRecord): void {
    if (this.find(account, name)?.record.id === id) {
      this.#accounts.get(account)?.delete(name.toLowerCase())
    }
  }
}
