import { type DateTimeValue, parseDateTime } from '@rowkey/odata'
import type { SignedIdentifier } from '../access-policy/signed-identifier.ts'
import type { ServiceProperties } from '../service-properties/service-properties.ts'
import { compareText } from '../store/memory-store.ts'
import { DurableTable } from './durable-table.ts'
import { CLOCK_KEY, DROPPED, POLICIES, PROPERTIES, TABLES } from './record-key.ts'
import { Records } from './records.ts'
import { parsePolicies, parseProperties, parseTable, type TableRecord } from './table-text.ts'

/** What a durable store keeps at hand while it is open: everything but rows. */
export interface OpenStore {
  /** All that is in the folder. */
  readonly records: Records
  /** The tables of every account. */
  readonly tables: DurableTables
  /** By the name of the account; absent for one whose properties nobody set. */
  readonly properties: Map<string, ServiceProperties>
  /** The latest Timestamp ever given; absent when there was none. */
  readonly latest: DateTimeValue | undefined
  /** The numbers of dropped tables whose rows are not yet all removed. */
  readonly dropped: readonly number[]
}

/** @throws StoreError when the folder cannot be used or its files are damaged */
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
  return {
    records,
    tables: await DurableTables.load(records),
    properties,
    latest: latest === undefined ? undefined : parseDateTime(latest),
    dropped,
  }
}

/** The tables of a durable store that is open, by account and name in lower case. */
export class DurableTables {
  readonly #accounts = new Map<string, Map<string, DurableTable>>()

  /** Reads what tables there are. */
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

  /** The table of that name in any case. */
  find(account: string, name: string): DurableTable | undefined {
    return this.#accounts.get(account)?.get(name.toLowerCase())
  }

  /** Every table's name as it was given, ordered by the name in lower case. */
  names(account: string): string[] {
    const tables = [...(this.#accounts.get(account) ?? [])]
    tables.sort(([a], [b]) => compareText(a, b))
    return tables.map(([, table]) => table.name)
  }

  /** Adds a table, in the place of one of that name in any case. */
  add(table: DurableTable): void {
    const { account, name } = table.record
    const tables = this.#accounts.get(account) ?? new Map<string, DurableTable>()
    this.#accounts.set(account, tables.set(name.toLowerCase(), table))
  }

  /** Takes a table out; a later one of that name stays. */
  remove({ account, name, id }: TableRecord): void {
    if (this.find(account, name)?.record.id === id) {
      this.#accounts.get(account)?.delete(name.toLowerCase())
    }
  }
}
