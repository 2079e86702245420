import type { InputError } from '@rowkey/odata'
import { mapperInputError } from '../errors/codes.ts'
import { type BulkJournal, invalid, type JournalFile } from './bulk-options.ts'

/** The record of one operation in a journal. */
export interface JournalEntry {
  /** The digest of the operation. */
  readonly digest: string
  /** How it ended; `'sent'` when it may have been applied. */
  readonly state: JournalState
  /** The idempotency key of the exact transaction that it was sent in; `undefined` without one. */
  readonly key: string | undefined
}

/** The states of an operation in a journal. */
export type JournalState = 'sent' | 'done' | 'skipped' | 'failed'

/** An operation that is about to be sent. */
export interface SentOperation {
  /** Its place in the input. */
  readonly index: number
  /** The digest of the operation. */
  readonly digest: string
}

/** The first line of a journal: the table and the input that it belongs to. */
interface Header {
  readonly journal: 'rowkey bulk 1'
  readonly account: string
  readonly table: string
}

/**
 * A journal as a bulk write uses it: lines of JSON, after a first line that names the table.
 *
 * `{"sent":[[index,digest]]}` is stored before a transaction is sent, `{"ended":{done:[index]}}` after its
 * response. So an operation without a line was never sent, and one with the first line alone is in doubt.
 * An exact transaction has its idempotency key in the first line: `{"sent":[[index,digest]],"key":key}`.
 */
export class JournalLog {
  readonly #journal: BulkJournal
  readonly #entries = new Map<number, JournalEntry>()
  /** Lines that the next append takes. */
  #lines: string[] = []
  /** The append that waits, and the one that is in flight. */
  #waiting: Promise<void> | undefined
  #appending: Promise<unknown> = Promise.resolve()

  private constructor(journal: BulkJournal) {
    this.#journal = journal
  }

  /**
   * Rejects what cannot keep a journal, before the input is read.
   *
   * @param given - the caller's option; absent without a journal
   * @param table - the table of the write
   * @throws InputError with the code `InvalidOptionValue`
   */
  static check(given: unknown, table: string): void {
    if (given === undefined || isJournal(given)) return
    throw invalid(
      `journal of bulk of table ${table} must have read and append, or be a file from open(path, 'a+') of node:fs/promises.`,
    )
  }

  /**
   * Reads a journal, and begins it when it is empty.
   *
   * @param given - where it is kept
   * @param place - the account and the table of the write
   * @throws InputError with the code `JournalMismatch` when it belongs to another table
   */
  static async open(
    given: BulkJournal | JournalFile,
    place: { readonly account: string; readonly table: string },
  ): Promise<JournalLog> {
    const journal = toJournal(given)
    const log = new JournalLog(journal)
    const header: Header = { journal: 'rowkey bulk 1', ...place }
    const text = await journal.read()
    const lines = text.split('\n')
    // A crash can tear the last line. It ends here, so that the next line is whole.
    if (lines.at(-1) !== '') log.#lines.push('\n')
    if (text === '') log.#lines.push(`${JSON.stringify(header)}\n`)
    else log.#read(lines, header)
    if (log.#lines.length > 0) await log.#append()
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
    if (entry === undefined || entry.digest === digest || entry.state === 'failed') return entry
    throw mismatch(
      `item ${index} of the input is not the item that an earlier run sent. Give the same input, or begin a new journal.`,
    )
  }

  /** Records operations before they are sent, with the key of an exact transaction. */
  async sent(operations: readonly SentOperation[], key: string | undefined): Promise<void> {
    const sent = operations.map(({ index, digest }) => [index, digest])
    return this.#write({ sent, key })
  }

  /** Records how operations ended. */
  async ended(state: Exclude<JournalState, 'sent'>, indexes: readonly number[]): Promise<void> {
    return this.#write({ ended: { [state]: indexes } })
  }

  /** Waits until everything is stored. */
  async flush(): Promise<void> {
    await (this.#waiting ?? this.#appending)
  }

  #write(line: object): Promise<void> {
    this.#lines.push(`${JSON.stringify(line)}\n`)
    return this.#append()
  }

  /** Appends all lines together that came while an earlier append was in flight. */
  #append(): Promise<void> {
    this.#waiting ??= this.#appending.then(() => {
      const text = this.#lines.join('')
      this.#lines = []
      this.#waiting = undefined
      return this.#journal.append(text)
    })
    const appended = this.#waiting
    this.#appending = appended.catch(() => {})
    return appended
  }

  #read([first = '', ...lines]: readonly string[], header: Header): void {
    const found = parseLine(first) as Partial<Header> | undefined
    if (found?.journal !== header.journal) {
      throw mismatch('the file or store is not empty, and holds no journal of a bulk write.')
    }
    if (found.account !== header.account || found.table !== header.table) {
      throw mismatch(`it is the journal of table ${found.table} at ${found.account}.`)
    }
    for (const line of lines) this.#replay(parseLine(line))
  }

  #replay(line: unknown): void {
    const { sent = [], key, ended = {} }: JournalLine = Object(line)
    for (const [index, digest] of sent) this.#entries.set(index, { digest, state: 'sent', key })
    for (const [state, indexes] of Object.entries(ended)) {
      for (const index of indexes) {
        const digest = this.#entries.get(index)?.digest ?? ''
        this.#entries.set(index, { digest, state: state as JournalState, key: undefined })
      }
    }
  }
}

interface JournalLine {
  readonly sent?: readonly (readonly [index: number, digest: string])[]
  readonly key?: string
  readonly ended?: Readonly<Record<string, readonly number[]>>
}

/** A torn line was never acknowledged, so nothing depends on it. */
function parseLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

function mismatch(problem: string): InputError {
  return mapperInputError({
    code: 'JournalMismatch',
    message: `The journal of a bulk write cannot be used: ${problem}`,
  })
}

/** Returns the journal that is kept in a file, or the caller's own. */
function toJournal(given: BulkJournal | JournalFile): BulkJournal {
  if (!('appendFile' in given)) return given
  return {
    read: () => given.readFile({ encoding: 'utf8' }),
    async append(text) {
      await given.appendFile(text)
      await given.datasync()
    },
  }
}

/** Tells whether a value can be a journal. */
function isJournal(given: unknown): given is BulkJournal | JournalFile {
  const { read, append, readFile, appendFile, datasync }: Partial<BulkJournal & JournalFile> =
    Object(given)
  const isFile = [readFile, appendFile, datasync].every((each) => typeof each === 'function')
  return isFile || (typeof read === 'function' && typeof append === 'function')
}
