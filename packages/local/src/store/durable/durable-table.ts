import { type EntityKey, parseDateTime, printDateTime } from '@rowkey/odata'
import type { SignedIdentifier } from '../../access/signed-identifier.ts'
import type { StoredEntity } from '../../entity/stored-entity.ts'
import { ServiceFault } from '../../fault/service-fault.ts'
import { type KeyRange, printStoreKey } from '../key-range.ts'
import type { NextRows, StoredTable } from '../table-store.ts'
import type { RecordDraft } from './record-draft.ts'
import { CLOCK_KEY, policiesKey, rowKey, rowRange, tableKey } from './record-key.ts'
import type { Records } from './records.ts'
import { parseRow, printRow } from './row-text.ts'
import { printPolicies, printTable, type TableRecord } from './table-text.ts'

/** One table of a durable store. */
export class DurableTable implements StoredTable {
  readonly name: string
  readonly record: TableRecord
  readonly #records: Records
  readonly #key: Buffer
  readonly #text: string
  #policies: readonly SignedIdentifier[]

  constructor(records: Records, record: TableRecord, policies: readonly SignedIdentifier[] = []) {
    this.name = record.name
    this.record = record
    this.#records = records
    this.#key = tableKey(record.account, record.name.toLowerCase())
    this.#text = printTable(record)
    this.#policies = policies
  }

  async get(key: EntityKey): Promise<StoredEntity | undefined> {
    const text = await this.#records.get(this.#rowKey(key))
    return text === undefined ? undefined : parseRow(text)
  }

  async scan(range: KeyRange, visit: (row: StoredEntity) => boolean): Promise<void> {
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
      return next
    })
  }

  async policies(): Promise<readonly SignedIdentifier[]> {
    return this.#policies
  }

  async setPolicies(policies: readonly SignedIdentifier[]): Promise<void> {
    const { id } = this.record
    await this.#records.commit((draft) => {
      this.#checkExists(draft)
      draft.put(policiesKey(id), printPolicies({ table: id, policies }))
    })
    this.#policies = policies
  }

  #rowKey({ partitionKey, rowKey: row }: EntityKey): Buffer {
    return rowKey(this.record.id, printStoreKey(partitionKey, row))
  }

  /** A table that was dropped while a request was on its way, or dropped and made anew, is gone. */
  #checkExists(draft: RecordDraft): void {
    if (draft.get(this.#key) !== this.#text) throw new ServiceFault('TableNotFound')
  }
}

function writeRow(draft: RecordDraft, key: Buffer, row: StoredEntity | undefined): void {
  if (row === undefined) {
    draft.delete(key)
    return
  }
  draft.put(key, printRow(row))
  const latest = draft.get(CLOCK_KEY)
  if (latest === undefined || row.timestamp > parseDateTime(latest)) {
    draft.put(CLOCK_KEY, printDateTime(row.timestamp))
  }
}
