import type { EngineOperation } from './engine.ts'
import { TOTALS_KEY } from './record-key.ts'
import { printTotals, sealText, type Totals, withRecord } from './sealed-text.ts'

/** What a draft reads from: the records as they are stored. */
export interface StoredRecords {
  /** The record at a key as it is kept. */
  read(key: string): string | undefined
  /** Its text; throws when the record is damaged. */
  unseal(key: string, sealed: string): string
}

/** A record before the draft and after it. */
interface DraftedRecord {
  /** As it is kept. */
  readonly sealed: string | undefined
  /** Its text, once somebody asked for it. */
  before: string | undefined
  /** What was written over it. */
  after: { readonly text: string | undefined } | undefined
}

/** What makes a draft true. */
export interface DraftedCommit {
  /** What the engine has to do, the totals last; nothing when nothing is changed. */
  readonly operations: readonly EngineOperation[]
  /** The totals once that is done. */
  readonly totals: Totals
}

/** Changes to records that are to be made at once: later ones see what earlier ones wrote. */
export class RecordDraft {
  readonly #stored: StoredRecords
  readonly #records = new Map<string, DraftedRecord>()

  constructor(stored: StoredRecords) {
    this.#stored = stored
  }

  /** The text of a record as it will be; `undefined` when there is none. */
  get(key: string): string | undefined {
    const record = this.#recordAt(key)
    if (record.after !== undefined) return record.after.text
    if (record.sealed === undefined) return undefined
    record.before ??= this.#stored.unseal(key, record.sealed)
    return record.before
  }

  /** Writes a record, or puts another text in its place. */
  put(key: string, text: string): void {
    this.#recordAt(key).after = { text }
  }

  /** Removes a record, if there is one. */
  delete(key: string): void {
    this.#recordAt(key).after = { text: undefined }
  }

  /**
   * What is to be done: each record once, however often it was changed.
   *
   * @param totals - those of the records as they are stored
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
