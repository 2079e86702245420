import { type InputError, invalidOption } from '@rowkey/odata'
import { mapperInputError } from '../../errors/codes.ts'
import { keyText } from '../../errors/compose-errors.ts'
import type { BulkJournal, JournalFile } from '../bulk-options.ts'
import type { BulkOutcome } from '../bulk-outcome.ts'
import type { BulkTarget } from '../bulk-target.ts'
import type { PendingOperation } from '../operation-buffer.ts'
import { journalInFile, usedTwice } from './journal-file.ts'

/** The record of one operation in a journal. */
export interface JournalEntry {
  /** The digest of the operation. */
  readonly digest: string
  /** How it ended; `'sent'` when it may have been applied, `'overtaken'` when it failed and a later one on its row may have been applied. */
  readonly state: JournalState
  /** The idempotency key of the exact transaction that it was sent in; `undefined` without one. */
  readonly key: string | undefined
}

/** The states of an operation in a journal. */
export type JournalState = 'sent' | 'done' | 'skipped' | 'failed' | 'overtaken'

/** The first line of a journal: the table and the input that it belongs to. */
interface Header {
  readonly journal: 'rowkey bulk 1'
  readonly account: string
  readonly table: string
}

/** How every first line begins. */
const FIRST = '{"journal":"rowkey bulk 1"'

/** The last run of this process that opened each journal. */
const owners = new WeakMap<object, JournalLog>()

/**
 * A journal as a bulk write uses it: lines of JSON, after a first line that names the table.
 *
 * `{"sent":[[index,digest]]}` is stored before a transaction is sent, `{"ended":{done:[index]}}` after its
 * response. So an operation without a line was never sent, and one with the first line alone is in doubt.
 * An exact transaction has its idempotency key in the first line: `{"sent":[[index,digest]],"key":key}`. Operations that failed on the
 * same rows before are named beside it: `"ended":{"overtaken":[index]}`.
 *
 * Each line begins with a line feed: whatever a crash or a full disk left before it, the line is whole. No part
 * of a line is JSON, so a torn one is recognized. It was never acknowledged, and nothing depends on it.
 */
export class JournalLog {
  readonly #given: BulkJournal | JournalFile
  readonly #journal: BulkJournal
  readonly #entries = new Map<number, JournalEntry>()
  /** The operations that failed in this run, by row. */
  readonly #failed = new Map<string, number[]>()
  /** The text that the next append takes. */
  #text = ''
  /** The append that waits, and the one that is in flight. */
  #waiting: Promise<void> | undefined
  #appending: Promise<unknown> = Promise.resolve()

  private constructor(given: BulkJournal | JournalFile) {
    this.#given = given
    this.#journal = 'append' in given ? given : journalInFile(given)
  }

  /**
   * Reads a journal, and begins it when it is empty, or torn in its first line.
   *
   * @param given - where the journal is stored
   * @param target - the table of the write
   * @throws InputError with the code `JournalMismatch` when it belongs to another table
   */
  static async open(
    given: BulkJournal | JournalFile,
    { service, table }: Pick<BulkTarget, 'service' | 'table'>,
  ): Promise<JournalLog> {
    const { origin, basePath } = service.endpoint
    const log = new JournalLog(given)
    owners.set(given, log) // before it is read, so that it holds all that an earlier owner may send
    await log.#open({ journal: 'rowkey bulk 1', account: `${origin}${basePath}`, table })
    return log
  }

  /**
   * Returns what an earlier run recorded of an operation.
   *
   * @param index - its place in the input
   * @param digest - its digest
   * @throws InputError with the code `JournalMismatch` when it recorded another operation there
   */
  find(index: number, digest: string): JournalEntry | undefined {
    const entry = this.#entries.get(index)
    // The item of a failed operation may have been corrected.
    const isMet = entry === undefined || entry.digest === digest
    if (isMet || ['failed', 'overtaken'].includes(entry.state)) return entry
    throw mismatch(
      `item ${index} of the input is not the one that an earlier run sent. Give the same input, or begin a new journal.`,
    )
  }

  /** Records operations before they are sent, with the key of an exact transaction. */
  sent(
    operations: readonly Pick<PendingOperation, 'index' | 'digest' | 'change'>[],
    key: string | undefined,
  ): Promise<void> {
    const sent = operations.map(({ index, digest }) => [index, digest])
    const overtaken = operations.flatMap(
      ({ change }) => this.#failed.get(keyText(change.input.key)) ?? [],
    )
    return this.#append({ sent, key, ended: overtaken.length > 0 ? { overtaken } : undefined })
  }

  /** Records how operations ended that were sent. When one fails, those that it has overtaken may be sent again. */
  ended(state: 'done' | 'skipped' | 'failed', outcomes: readonly BulkOutcome[]): Promise<void> {
    const indexes = outcomes.flatMap(({ index, key }) => {
      const row = keyText(key!) // it was sent
      if (state === 'done') this.#failed.delete(row)
      if (state !== 'failed') return index
      const failed = [...(this.#failed.get(row) ?? []), index]
      this.#failed.set(row, failed)
      return failed
    })
    return this.#append({ ended: { [state]: indexes } })
  }

  /** Waits until everything is stored, or has failed. */
  async flush(): Promise<void> {
    await this.#appending
  }

  async #open(header: Header): Promise<void> {
    const text: unknown = await this.#journal.read()
    if (typeof text !== 'string') throw invalidOption('read() of a journal must return a text.')
    const lines = text.replace(/^\uFEFF/, '').split('\n')
    const first = lines.findIndex((line) => !isTornHeader(line))
    if (first >= 0) this.#read(lines.slice(first), header)
    else await this.#append(header, text === '' ? '' : '\n')
  }

  /**
   * Appends a line, together with all that come while an earlier append is in flight.
   *
   * @throws InputError with the code `JournalInUse` when another run has opened the journal
   */
  #append(line: object, start = '\n'): Promise<void> {
    this.#text += start + JSON.stringify(line)
    this.#waiting ??= this.#appending.then(async () => {
      const text = this.#text
      this.#text = ''
      this.#waiting = undefined
      this.#checkOwner()
      await this.#journal.append(text)
      this.#checkOwner()
    })
    const appended = this.#waiting
    this.#appending = appended.catch(() => {})
    return appended
  }

  #checkOwner(): void {
    if (owners.get(this.#given) !== this) throw usedTwice()
  }

  #read([first = '', ...lines]: readonly string[], header: Header): void {
    const found = parsed(first) as Partial<Header>
    if (found.journal !== header.journal) {
      throw mismatch('it is the journal of something else.')
    }
    if (found.account !== header.account || found.table !== header.table) {
      throw mismatch(`it is the journal of table ${found.table} at ${found.account}.`)
    }
    for (const line of lines) this.#replay(parsed(line))
  }

  #replay({ sent, key, ended }: JournalLine): void {
    if (isSent(sent)) {
      for (const [index, digest] of sent) this.#set(index, { digest, state: 'sent', key })
    }
    for (const state of ['done', 'skipped', 'failed', 'overtaken'] as const) {
      const indexes = Object(ended)[state]
      if (!Array.isArray(indexes)) continue
      for (const index of indexes) this.#set(index, { state, key: undefined })
    }
  }

  /** An operation that was done or skipped is never sent again, whatever lines come late or twice. */
  #set(index: number, entry: Omit<JournalEntry, 'digest'> & { readonly digest?: string }): void {
    const earlier = this.#entries.get(index)
    if (earlier?.state === 'done' || earlier?.state === 'skipped') return
    const digest = entry.digest ?? earlier?.digest
    if (digest !== undefined) this.#entries.set(index, { ...entry, digest })
  }
}

/** What a line may hold, when it is whole; anything else is not ours. */
interface JournalLine {
  readonly sent?: unknown
  readonly key?: string
  readonly ended?: unknown
}

/** Parses a line; a torn one holds nothing. */
function parsed(line: string): JournalLine & Partial<Header> {
  try {
    return Object(JSON.parse(line))
  } catch {
    return {}
  }
}

/** Tells whether a line is what a crash left of a first line. Nothing was sent then. */
function isTornHeader(line: string): boolean {
  const start = line.replace(/(?<![\s\0])[\s\0]+$/, '')
  return FIRST.startsWith(start) || (start.startsWith(FIRST) && parsed(line).journal === undefined)
}

function isSent(sent: unknown): sent is readonly (readonly [index: number, digest: string])[] {
  const isOne = (each: unknown) =>
    Array.isArray(each) && Number.isSafeInteger(each[0]) && typeof each[1] === 'string'
  return Array.isArray(sent) && sent.every(isOne)
}

function mismatch(problem: string): InputError {
  return mapperInputError({
    code: 'JournalMismatch',
    message: `The journal of a bulk write cannot be used: ${problem}`,
  })
}
