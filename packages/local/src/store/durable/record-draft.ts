import type { EngineOperation } from './engine.ts'
import { TOTALS_KEY } from './record-key.ts'
import { sealText } from './sealed-text.ts'
import { printTotals, type Totals, withRecord } from './totals.ts'

/** What a draft reads from: the records as they are stored. */
export interface StoredRecords {
  /** The record at a key as it is kept. */
  read(key: string): string | undefined
  /** Its text; throws when the record is damaged. */
  unseal(key: string, sealed: string): string
}

/** A record before the draft and after it. */
interface DraftedRecord {
  readonly key: string
  readonly before: string | undefined
  after: string | undefined
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
    const { after } = this.#recordAt(key)
    return after === undefined ? undefined : this.#stored.unseal(key, after)
  }

  /** Writes a record, or puts another text in its place. */
  put(key: string, text: string): void {
    this.#recordAt(key).after = sealText(key, text)
  }

  /** Removes a record, if there is one. */
  delete(key: string): void {
    this.#recordAt(key).after = undefined
  }

  /** The totals once everything here is stored. */
  totalsAfter(totals: Totals): Totals {
    let after = totals
    for (const record of this.#changed()) after = withRecord(after, record.before, record.after)
    return { ...after, commits: totals.commits + 1 }
  }

  /** What the engine has to do, the totals last; nothing when nothing is changed. */
  operations(totals: Totals): EngineOperation[] {
    const operations = this.#changed().map(operationOf)
    if (operations.length === 0) return operations
    const value = sealText(TOTALS_KEY, printTotals(totals))
    return [...operations, { type: 'put', key: TOTALS_KEY, value }]
  }

  #changed(): DraftedRecord[] {
    return [...this.#records.values()].filter(({ before, after }) => before !== after)
  }

  #recordAt(key: string): DraftedRecord {
    let record = this.#records.get(key)
    if (record === undefined) {
      const before = this.#stored.read(key)
      record = { key, before, after: before }
      this.#records.set(key, record)
    }
    return record
  }
}

function operationOf({ key, after }: DraftedRecord): EngineOperation {
  return after === undefined ? { type: 'del', key } : { type: 'put', key, value: after }
}
