import { rm } from 'node:fs/promises'
import type { BulkSummary } from '@rowkey/mapper'
import { type ResumeSubject, readPosition, writePosition } from '../sweep/resume-file.ts'
import {
  isRanges,
  type RangeState,
  rangesOf,
  type Sweep,
  sweepRanges,
} from '../sweep/sweep-table.ts'
import type { RowTable } from '../target/open-account.ts'
import { countedSummary, type ImportResult, isCount, isResult, noResult } from './import-result.ts'

/** A bulk write that runs. */
export interface PageWrite extends PromiseLike<unknown> {
  summary(): Promise<BulkSummary>
}

/** Which rows to read, and what to write for them. */
export interface SweptWrites<Row extends object> extends Sweep<Row> {
  /** The table whose rows are read. */
  readonly source: RowTable
  /** Tells whether something is written for a row that was read; it is for all when absent. */
  readonly isWanted?: ((row: Row) => boolean) | undefined
  /** Begins to write what belongs to the rows of a page. */
  readonly write: (rows: readonly Row[]) => PageWrite
  /** The file with the position, and what it belongs to. */
  readonly resume: { readonly path: string; readonly subject: ResumeSubject }
  /** The clock: milliseconds. */
  readonly now: () => number
  /** Called when rows were written, with the part of the ranges that is done. */
  readonly onRows: (rows: number, fraction: number) => void
}

/** The position: how far each range is, and what became of its rows. */
interface Position {
  readonly ranges: RangeState[]
  readonly result: ImportResult
  /** How many rows were read and left out. */
  leftOut: number
}

function isPosition(value: unknown): value is Position {
  const { ranges, result, leftOut }: Record<string, unknown> = Object(value)
  return isRanges(ranges) && isResult(result) && isCount(leftOut)
}

/** Milliseconds between two positions. */
const PAUSE = 1_000

/**
 * Writes something for each row of a query. A page of a range counts when all of its writes are done, so an interrupted command goes on,
 * and writes at most the pages in flight again.
 */
export async function writeSwept<Row extends object>(
  plan: SweptWrites<Row>,
): Promise<ImportResult & { readonly leftOut: number }> {
  const { source, query, isWanted = () => true, write, concurrency, signal, resume, now } = plan
  const position: Position = (await readPosition(resume.path, resume.subject, isPosition)) ?? {
    ranges: await rangesOf(source, query, concurrency, signal),
    result: noResult(),
    leftOut: 0,
  }
  const { ranges, result } = position
  result.resumed = result.written + result.skipped
  const save = () => writePosition(resume.path, resume.subject, position)
  await save()
  let saved = now()
  let saving: Promise<void> = Promise.resolve()
  try {
    await sweepRanges(plan, ranges, async (read) => {
      const rows = read.filter(isWanted)
      if (now() - saved >= PAUSE) {
        saved = now()
        saving = saving.then(save)
        await saving
      }
      const run = write(rows)
      const summary = await run.summary()
      // Rejects for the same reason as the run itself, when it ended early.
      if (summary.ending !== 'complete') await run
      countedSummary(result, summary)
      position.leftOut += read.length - rows.length
      plan.onRows(rows.length, ranges.filter(({ isDone }) => isDone).length / ranges.length)
    })
  } finally {
    await saving.then(save)
  }
  await rm(resume.path)
  return { ...result, leftOut: position.leftOut }
}
