import { open, rm } from 'node:fs/promises'
import type { BulkOptions } from '@rowkey/mapper'
import type { DynamicEntity } from 'rowkey'
import type { RowLine } from '../rows/row-line.ts'
import { type ResumeSubject, readPosition, writePosition } from '../sweep/resume-file.ts'
import type { RowTable } from '../target/open-account.ts'
import { countedSummary, type ImportResult, noResult } from './import-result.ts'
import type { OnExisting } from './on-existing.ts'
import { conflictOptions, rowWrite } from './row-write.ts'

/** What to import, and where to. */
export interface ImportPlan {
  readonly table: RowTable
  readonly rows: AsyncIterable<RowLine>
  readonly onExisting: OnExisting
  /** How many transactions may be in flight at once; `undefined` leaves it to the level of the account. */
  readonly concurrency?: number | undefined
  /** The file with the position, and what it belongs to; absent when the import cannot go on. */
  readonly resume?: { readonly path: string; readonly subject: ResumeSubject } | undefined
  /** How many rows are written before the position moves on. */
  readonly segment: number
  readonly signal: AbortSignal
  /** Called when rows were written. */
  readonly onRows: (rows: number) => void
}

/** The position: how many rows of the input are settled, and what became of them. */
interface Position extends ImportResult {
  settled: number
}

/**
 * Writes rows to a table, in segments. After each segment, its end is the position where an interrupted import goes on. Inserts
 * are also kept in a journal within their segment, so that none is taken for a conflict with itself.
 *
 * @throws BulkError when the import ended early: the table is missing, say, or the signature has expired. The position is kept
 */
export async function importRows(plan: ImportPlan): Promise<ImportResult> {
  const { resume } = plan
  const stored = resume && (await readPosition<Position>(resume.path, resume.subject))
  const position = stored ?? { settled: 0, ...noResult() }
  position.resumed = position.written + position.skipped
  const rows = plan.rows[Symbol.asyncIterator]()
  try {
    for (let skip = position.settled; skip > 0; skip--) await rows.next()
    while (await importSegment(plan, rows, position)) {
      if (resume !== undefined) await writePosition(resume.path, resume.subject, position)
      await rm(journalPath(plan, position.settled - plan.segment), { force: true })
    }
  } finally {
    await rows.return?.()
  }
  if (resume !== undefined) await rm(resume.path, { force: true })
  const { settled: _settled, ...result } = position
  return result
}

const journalPath = ({ resume }: ImportPlan, from: number): string => `${resume?.path}.${from}`

/**
 * Writes the next segment.
 *
 * @returns whether more rows may follow
 */
async function importSegment(
  plan: ImportPlan,
  rows: AsyncIterator<RowLine>,
  position: Position,
): Promise<boolean> {
  const { table, onExisting, concurrency, signal, resume } = plan
  const segment = new Segment(rows, plan.segment)
  const needsJournal = resume !== undefined && (onExisting === 'fail' || onExisting === 'skip')
  const path = journalPath(plan, position.settled)
  const journal = needsJournal ? await open(path, 'a+') : undefined
  let ended = 0
  const options: BulkOptions<DynamicEntity> = {
    ...conflictOptions(onExisting),
    concurrency,
    signal,
    journal,
    onProgress: ({ done, skipped, failed, unknown, resumed }) => {
      const now = done + skipped + failed + unknown - resumed
      plan.onRows(now - ended)
      ended = now
    },
  }
  try {
    const run = table.bulk(options).execute(segment.writes(onExisting))
    const summary = await run.summary()
    if (segment.error !== undefined) throw segment.error
    // Rejects for the same reason as the run itself, when it ended early.
    if (summary.ending !== 'complete') await run
    countedSummary(position, summary)
  } finally {
    await journal?.close()
  }
  if (segment.isLast) await rm(path, { force: true })
  position.settled += segment.read
  return !segment.isLast
}

/** Some rows of the input. */
class Segment {
  readonly #rows: AsyncIterator<RowLine>
  readonly #most: number
  /** How many rows were read. */
  read = 0
  /** Whether the input ended in this segment. */
  isLast = false
  /** Why the input could not be read. */
  error: unknown

  constructor(rows: AsyncIterator<RowLine>, most: number) {
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
