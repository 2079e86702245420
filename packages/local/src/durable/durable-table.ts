import type { EntityKey } from '@rowkey/odata'
import type { SignedIdentifier } from '../access-policy/signed-identifier.ts'
import { StoredEntity } from '../entity/stored-entity.ts'
import { type KeyRange, printStoreKey } from '../keys/key-range.ts'
import { Rejection } from '../rejection/rejection.ts'
import type { NextRows, StoredTable, Visit } from '../store/table-store.ts'
import type { RecordDraft } from './record-draft.ts'
import { CLOCK_KEY, policiesKey, rowKey, rowRange } from './record-key.ts'
import type { Records } from './records.ts'
import { printPolicies, printTable, type TableRecord } from './table-text.ts'

/** Prints a row as the text of its record: entity JSON as in a response with minimal metadata. */
export function printRow(row: StoredEntity): string {
  return `{${row.text}}`
}

/** Parses the row of a record. */
export function parseRow(text: string): StoredEntity {
  return new StoredEntity(text.slice(1, -1))
}

/** The stored access policies of tables, by the number of the table. */
export type TablePolicies = Map<number, readonly SignedIdentifier[]>

/** What the tables of a store have in common. */
interface TableGround {
  readonly records: Records
  readonly policies: TablePolicies
}

/** One table of a durable store. */
export class DurableTable implements StoredTable {
  readonly name: string
  readonly record: TableRecord
  readonly #records: Records
  readonly #policies: TablePolicies
  readonly #key: string
  readonly #text: string

  /**
   * @param ground - the store
   * @param key - the key of the table's own record
   * @param record - that record
   */
  constructor({ records, policies }: TableGround, key: string, record: TableRecord) {
    this.name = record.name
    this.record = record
    this.#records = records
    this.#policies = policies
    this.#key = key
    this.#text = printTable(record)
  }

  async get(key: EntityKey): Promise<StoredEntity | undefined> {
    const text = await this.#records.get(this.#rowKey(key))
    return text === undefined ? undefined : parseRow(text)
  }

  async scan(range: KeyRange, visit: Visit<[row: StoredEntity]>): Promise<void> {
    await this.#records.scan(rowRange(this.record.id, range), (text) => visit(parseRow(text)))
  }

  async change(
    keys: readonly EntityKey[],
    decide: (rows: NextRows) => NextRows,
  ): Promise<NextRows> {
    const rowKeys = keys.map((key) => this.#rowKey(key))
    return this.#records.commit((draft) => {
      this.#checkExists(draft)
      const texts = rowKeys.map((key) => draft.get(key))
      const next = decide(texts.map((text) => (text === undefined ? undefined : parseRow(text))))
      for (const [at, key] of rowKeys.entries()) writeRow(draft, key, next[at])
      recordLatest(draft, next)
      return next
    })
  }

  async policies(): Promise<readonly SignedIdentifier[]> {
    return this.#policies.get(this.record.id) ?? []
  }

  async setPolicies(policies: readonly SignedIdentifier[]): Promise<void> {
    const { id } = this.record
    await this.#records.commit((draft) => {
      this.#checkExists(draft)
      draft.put(policiesKey(id), printPolicies({ table: id, policies }))
    })
    this.#policies.set(id, policies)
  }

  #rowKey({ partitionKey, rowKey: row }: EntityKey): string {
    return rowKey(this.record.id, printStoreKey(partitionKey, row))
  }

  /** Rejects a table that was dropped during the request, even when it was created again. */
  #checkExists(draft: RecordDraft): void {
    if (draft.get(this.#key) !== this.#text) throw new Rejection('TableNotFound')
  }
}

function writeRow(draft: RecordDraft, key: string, row: StoredEntity | undefined): void {
  if (row === undefined) draft.delete(key)
  else draft.put(key, printRow(row))
}

/** Records the latest Timestamp, so that a clock that is put back cannot repeat one. */
function recordLatest(draft: RecordDraft, rows: NextRows): void {
  for (const row of rows) {
    if (row !== undefined && isLater(row.printedTimestamp, draft.get(CLOCK_KEY))) {
      draft.put(CLOCK_KEY, row.printedTimestamp)
    }
  }
}

/** Compares printed times to 100 ns. Without the `Z` at their ends they sort as the times do. */
function isLater(time: string, other: string | undefined): boolean {
  return other === undefined || time.slice(0, -1) > other.slice(0, -1)
}
