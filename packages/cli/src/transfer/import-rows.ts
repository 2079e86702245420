import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import type { BulkOptions } from '@rowkey/mapper'
import { type InputError, isRowkeyError } from '@rowkey/odata'
import type { DynamicEntity } from 'rowkey'
import { cliInputError } from '../errors/codes.ts'
import { counted } from '../output/progress.ts'
import { printRowLine, type RowLine } from '../rows/row-line.ts'
import { type OpenMode, openPrivate } from '../shell/files.ts'
import { type ResumeSubject, readPosition, writePosition } from '../sweep/resume-file.ts'
import type { RowTable } from '../target/open-account.ts'
import { countedSummary, type ImportResult, isCount, isResult, noResult } from './import-result.ts'
import type { OnExisting } from './on-existing.ts'
import { conflictOptions, rowWrite } from './row-write.ts'

/** Where an interrupted import goes on. */
export interface ImportResume {
  /** The file with the position. Those with journals have names that begin with it. */
  readonly path: string
  /** What the position belongs to. */
  readonly subject: ResumeSubject
}

/** What to import, and where to. */
export interface ImportPlan {
  readonly table: RowTable
  readonly rows: AsyncIterable<RowLine>
  readonly onExisting: OnExisting
  /** How many transactions may be in flight at once; `undefined` leaves it to the level of the account. */
  readonly concurrency?: number | undefined
  /** Absent when the import cannot go on. */
  readonly resume?: ImportResume | undefined
  /** How many rows are written before the position moves on. */
  readonly segment: number
  readonly signal: AbortSignal
  /** Called when rows were written, with the part of the rows read so far that is settled, from 0 to 1. */
  readonly onRows: (rows: number, settled: number) => void
}

/** The position: how many rows of the input are settled, and what became of them. */
interface Position extends ImportResult {
  settled: number
  /** Of the settled rows: SHA-256 in hexadecimal, which shows that they have changed. */
  digest: string
}

function isPosition(value: unknown): value is Position {
  const { settled, digest }: Record<string, unknown> = Object(value)
  return isResult(value) && isCount(settled) && typeof digest === 'string'
}

/**
 * Writes rows to a table, in segments. After each segment, its end is the position where an interrupted import goes on. Inserts
 * are also kept in a journal within their segment, so that none is taken for a conflict with itself.
 *
 * @throws BulkError when the import ended early: the table is missing, say, or the signature has expired. The position is kept
 * @throws InputError with the code `ResumeMismatch` when an earlier import has read other rows
 */
export async function importRows(plan: ImportPlan): Promise<ImportResult> {
  const { resume, segment } = plan
  const stored = resume && (await readPosition(resume.path, resume.subject, isPosition))
  const rows = new DigestedRows(plan.rows)
  const position: Position = { settled: 0, digest: rows.digest, ...noResult(), ...stored }
  position.resumed = position.written + position.skipped
  // A journal without its position belongs to an import that was given up.
  let mode: OpenMode = stored === undefined ? 'fresh' : 'append'
  try {
    for (let skip = position.settled; skip > 0; skip--) await rows.next()
    // Which of the later rows have changed, the journal knows.
    if (resume && rows.digest !== position.digest) throw changedInput(resume)
    for (let isOpen = true; isOpen; mode = 'fresh') {
      if (resume !== undefined) {
        await writePosition(resume.path, resume.subject, position)
        await rm(journalPath(resume, position.settled - segment), { force: true })
      }
      isOpen = await importSegment(plan, rows, position, mode)
    }
  } finally {
    rows.end()
  }
  if (resume !== undefined) await rm(resume.path, { force: true })
  const { settled: _settled, digest: _digest, ...result } = position
  return result
}

const journalPath = ({ path }: ImportResume, from: number): string => `${path}.${from}`

function changedInput({ path }: ImportResume, cause?: unknown): InputError {
  return cliInputError(
    'ResumeMismatch',
    `The input has changed since an earlier import read it. Give the same input, or delete ${path} to begin anew.`,
    cause,
  )
}

/** Adds to the reason why the input cannot be read what was written before. */
function stoppedBy(error: unknown, written: number, resume: ImportResume | undefined): unknown {
  if (!isRowkeyError(error) || written === 0) return error
  const { code, message } = error
  if (code !== 'UnreadableInput' && code !== 'InvalidArgument') return error
  const goesOn = resume !== undefined && code === 'UnreadableInput'
  const next = goesOn ? ' Correct the input and run the same command again: it goes on there.' : ''
  return cliInputError(code, `${message} Written so far: ${counted(written, 'row')}.${next}`, error)
}

/**
 * Writes the next segment.
 *
 * @returns whether more rows may follow
 */
async function importSegment(
  plan: ImportPlan,
  rows: DigestedRows,
  position: Position,
  mode: OpenMode,
): Promise<boolean> {
  const { table, onExisting, concurrency, signal, resume } = plan
  const segment = new Segment(rows, plan.segment)
  const needsJournal = onExisting === 'fail' || onExisting === 'skip'
  const path = resume && needsJournal ? journalPath(resume, position.settled) : undefined
  const journal = path === undefined ? undefined : await openPrivate(path, mode)
  let ended = 0
  const options: BulkOptions<DynamicEntity> = {
    ...conflictOptions(onExisting),
    concurrency,
    signal,
    journal,
    onProgress: ({ done, skipped, failed, unknown, resumed }) => {
      const settled = done + skipped + failed + unknown
      const now = settled - resumed
      plan.onRows(now - ended, (position.settled + settled) / (position.settled + segment.read))
      ended = now
    },
  }
  const run = table.bulk(options).execute(segment.writes(onExisting))
  const summary = await run.summary().finally(() => journal?.close())
  const { ending, cause, done, skipped, unknown } = summary
  const isBegun = mode === 'append' || position.settled + done + skipped + unknown > 0
  // When nothing was written, the next import may have other options.
  if (!isBegun && resume) await rm(resume.path)
  if (path !== undefined && (segment.isLast || !isBegun)) await rm(path)
  if (segment.error !== undefined) throw stoppedBy(segment.error, position.written + done, resume)
  if (resume && isRowkeyError(cause) && cause.code === 'JournalMismatch') {
    throw changedInput(resume, cause)
  }
  // Rejects for the same reason as the run itself, when it ended early.
  if (ending !== 'complete') await run
  countedSummary(position, summary)
  position.settled += segment.read
  position.digest = rows.digest
  return !segment.isLast
}

/** The rows of the input, and a digest of those that were read. */
class DigestedRows {
  readonly #rows: AsyncIterator<RowLine>
  readonly #hash = createHash('sha256')

  constructor(rows: AsyncIterable<RowLine>) {
    this.#rows = rows[Symbol.asyncIterator]()
  }

  async next(): Promise<IteratorResult<RowLine>> {
    const next = await this.#rows.next()
    if (next.done !== true) this.#hash.update(printRowLine(next.value.row, next.value.change))
    return next
  }

  get digest(): string {
    return this.#hash.copy().digest('hex')
  }

  end(): void {
    // A row that is pending may never come.
    this.#rows.return?.()?.catch(() => {})
  }
}

/** Some rows of the input. */
class Segment {
  readonly #rows: DigestedRows
  readonly #most: number
  /** How many rows were read. */
  read = 0
  /** Whether the input ended in this segment. */
  isLast = false
  /** Why the input could not be read. */
  error: unknown

  constructor(rows: DigestedRows, most: number) {
    this.#rows = rows
    this.#most = most
  }

  /** Yields the writes of the rows. */
  async *writes(onExisting: OnExisting): AsyncGenerator<ReturnType<typeof rowWrite>> {
    try {
      while (this.read < this.#most) {
        const { value, done } = await this.#rows.next()
        if (done === true) {
          this.isLast = true
          return
        }
        this.read++
        yield rowWrite(value, onExisting)
      }
    } catch (error) {
      this.error = error
      throw error
    }
  }
}
