import type { EngineOperation } from './engine.ts'
import { TOTALS_KEY } from './record-key.ts'
import { printTotals, sealText, type Totals, withRecord } from './sealed-text.ts'

/** The stored records that a draft reads. */
interface StoredRecords {
  /** Returns the sealed record at a key. */
  read(key: string): string | undefined
  /** Returns the text of a record; throws when the record is damaged. */
  unseal(key: string, sealed: string): string
}

/** A record before and after the draft. */
interface DraftedRecord {
  /** The sealed record. */
  readonly sealed: string | undefined
  /** Its text, once it was read. */
  before: string | undefined
  /** The new text. */
  after: { readonly text: string | undefined } | undefined
}

/** The result of a draft. */
interface DraftedCommit {
  /** The operations for the engine, with the totals last; empty without changes. */
  readonly operations: readonly EngineOperation[]
  /** The totals after the operations. */
  readonly totals: Totals
}

/** Changes to records in one commit. Later changes see the earlier ones. */
export class RecordDraft {
  readonly #stored: StoredRecords
  readonly #records = new Map<string, DraftedRecord>()

  constructor(stored: StoredRecords) {
    this.#stored = stored
  }

  /** Returns the text of a record after the changes so far; `undefined` when it does not exist. */
  get(key: string): string | undefined {
    const record = this.#recordAt(key)
    if (record.after !== undefined) return record.after.text
    if (record.sealed === undefined) return undefined
    record.before ??= this.#stored.unseal(key, record.sealed)
    return record.before
  }

  /** Writes or replaces a record. */
  put(key: string, text: string): void {
    this.#recordAt(key).after = { text }
  }

  /** Removes a record if it exists. */
  delete(key: string): void {
    this.#recordAt(key).after = { text: undefined }
  }

  /**
   * Returns the operations, with each record once.
   *
   * @param totals - those of the stored records
   */
  commit(totals: Totals): DraftedCommit {
    const operations: EngineOperation[] = []
    let after = totals
    for (const [key, record] of this.#records) {
      const text = record.after?.text
      const value = text === undefined ? undefined : sealText(key, text)
      if (record.after === undefined || value === record.sealed) continue
      operations.push(value === undefined ? { type: 'del', key } : { type: 'put', key, value })
      after = withRecord(after, record.sealed, value)
    }
    if (operations.length === 0) return { operations, totals }
    after = { ...after, commits: totals.commits + 1 }
    const value = sealText(TOTALS_KEY, printTotals(after))
    operations.push({ type: 'put', key: TOTALS_KEY, value })
    return { operations, totals: after }
  }

  #recordAt(key: string): DraftedRecord {
    let record = this.#records.get(key)
    if (record === undefined) {
      const sealed = this.#stored.read(key)
      record = { sealed, before: undefined, after: undefined }
      this.#records.set(key, record)
    }
    return record
  }
}
