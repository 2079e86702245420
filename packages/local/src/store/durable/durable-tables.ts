import type { SignedIdentifier } from '../../access/signed-identifier.ts'
import { compareText } from '../b-tree.ts'
import { DurableTable } from './durable-table.ts'
import { POLICIES, TABLES } from './record-key.ts'
import type { Records } from './records.ts'
import { parsePolicies, parseTable, type TableRecord } from './table-text.ts'

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
