import { rm } from 'node:fs/promises'
import { type ResumeSubject, readPosition, writePosition } from '../sweep/resume-file.ts'
import {
  isRange,
  type RangeState,
  rangesOf,
  type Sweep,
  sweepRanges,
} from '../sweep/sweep-table.ts'
import type { RowTable } from '../target/open-account.ts'
import { countedSummary, type ImportResult, isResult, noResult } from './import-result.ts'
import type { OnExisting } from './on-existing.ts'
import { type Renames, renamedRow } from './renamed-rows.ts'
import { conflictOptions, rowWrite } from './row-write.ts'

/** What to copy, and where to. */
export interface CopyPlan extends Sweep {
  readonly source: RowTable
  readonly destination: RowTable
  readonly onExisting: OnExisting
  /** New names of properties. */
  readonly renames: Renames
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
}

function isPosition(value: unknown): value is Position {
  const { ranges, result }: Record<string, unknown> = Object(value)
  return Array.isArray(ranges) && ranges.every(isRange) && isResult(result)
}

/** Milliseconds between two positions. */
const PAUSE = 1_000

/**
 * Copies rows from one table to another, which may be in another account. A page of a range counts when all of its rows are written, so an
 * interrupted copy goes on, and writes at most the pages in flight again.
 */
export async function copyRows(plan: CopyPlan): Promise<ImportResult> {
  const { source, query, renames, concurrency, signal, resume, now } = plan
  const position: Position = (await readPosition(resume.path, resume.subject, isPosition)) ?? {
    ranges: await rangesOf(source, query, concurrency, signal),
    result: noResult(),
  }
  const { ranges, result } = position
  result.resumed = result.written + result.skipped
  const save = () => writePosition(resume.path, resume.subject, position)
  await save()
  let saved = now()
  let saving: Promise<void> = Promise.resolve()
  const copyPage = pageCopier(plan, result)
  try {
    await sweepRanges(plan, ranges, async (rows) => {
      if (now() - saved >= PAUSE) {
        saved = now()
        saving = saving.then(save)
        await saving
      }
      await copyPage(rows.map((row) => ({ row: renamedRow(row, renames) })))
      plan.onRows(rows.length, ranges.filter(({ isDone }) => isDone).length / ranges.length)
    })
  } finally {
    await saving.then(save)
  }
  await rm(resume.path)
  return result
}

/** Returns a function that writes the rows of a page, and counts them. */
function pageCopier({ destination, onExisting, signal }: CopyPlan, result: ImportResult) {
  return async (rows: Parameters<typeof rowWrite>[0][]): Promise<void> => {
    const writes = rows.map((row) => rowWrite(row, onExisting))
    const run = destination.bulk({ ...conflictOptions(onExisting), signal }).execute(writes)
    const summary = await run.summary()
    // Rejects for the same reason as the run itself, when it ended early.
    if (summary.ending !== 'complete') await run
    countedSummary(result, summary)
  }
}
