import { open, rm } from 'node:fs/promises'
import type { BulkOptions, BulkSummary, DynamicRow, KeyMembers, TableWrite } from '@rowkey/mapper'
import { DynamicEntity, Operation } from 'rowkey'
import type { RowLine } from '../rows/row-line.ts'
import { type ResumeSubject, readPosition, writePosition } from '../sweep/resume-file.ts'
import type { RowTable } from '../target/open-account.ts'

/** One write to a table of rows. */
type RowWrite = TableWrite<DynamicEntity, DynamicEntity | DynamicRow, KeyMembers<DynamicEntity>>

/** What to do with a row that is stored already. */
export type OnExisting = 'fail' | 'skip' | 'replace' | 'merge'

/** What to import, and where to. */
export interface ImportPlan {
  readonly table: RowTable
  readonly rows: AsyncIterable<RowLine>
  readonly onExisting: OnExisting
  /** How many transactions may be in flight at once. */
  readonly concurrency: number
  /** The file with the position, and what it belongs to; absent when the import cannot go on. */
  readonly resume?: { readonly path: string; readonly subject: ResumeSubject } | undefined
  /** How many rows are written before the position moves on. */
  readonly segment: number
  readonly signal: AbortSignal
  /** Called when rows were written. */
  readonly onRows: (rows: number) => void
}

/** What became of the rows. */
export interface ImportResult {
  written: number
  skipped: number
  failed: number
  /** How many rows an earlier run had written or skipped. */
  resumed: number
  /** The first failures: the key of the row, and the reason. */
  failures: { readonly key: readonly string[]; readonly message: string }[]
}

const MOST_FAILURES = 20

/** The position: how many rows of the input are settled, and what became of them. */
interface Position extends ImportResult {
  settled: number
}

/**
 * Writes rows to a table, in segments. After each segment, its end is the position where an interrupted import goes on. Rows whose
 * repetition could be taken for a conflict are also kept in a journal within their segment, so that none is written twice.
 *
 * @throws BulkError when the import ended early: the table is missing, say, or the signature has expired. The position is kept
 */
export async function importRows(plan: ImportPlan): Promise<ImportResult> {
  const { resume } = plan
  const stored = resume && (await readPosition<Position>(resume.path, resume.subject))
  const position = stored ?? {
    settled: 0,
    written: 0,
    skipped: 0,
    failed: 0,
    resumed: 0,
    failures: [],
  }
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
  if (resume !== undefined) {
    await rm(resume.path, { force: true })
  }
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
  let read = 0
  let isEnd = false
  const operations = async function* () {
    while (read < plan.segment) {
      const { value, done } = await rows.next()
      if (done === true) {
        isEnd = true
        return
      }
      read++
      yield operationOf(value, onExisting)
    }
  }
  const needsJournal = resume !== undefined && (onExisting === 'fail' || onExisting === 'skip')
  const path = journalPath(plan, position.settled)
  const journal = needsJournal ? await open(path, 'a+') : undefined
  let ended = 0
  const options: BulkOptions<DynamicEntity> = {
    concurrency,
    signal,
    journal,
    onMissing: 'skip',
    onConflict: onExisting === 'skip' ? 'skip' : 'fail',
    onProgress: ({ done, skipped, failed, unknown, resumed }) => {
      const now = done + skipped + failed + unknown - resumed
      plan.onRows(now - ended)
      ended = now
    },
  }
  try {
    const run = table.bulk(options).execute(operations())
    const summary = await run.summary()
    // Rejects for the same reasons as the run itself, when it ended early.
    if (summary.ending !== 'complete') await run
    count(position, summary)
  } finally {
    await journal?.close()
  }
  if (isEnd) await rm(path, { force: true })
  position.settled += read
  return !isEnd
}

function count(
  position: Position,
  { done, skipped, failed, unknown, resumed, failures }: BulkSummary,
): void {
  position.written += done
  position.skipped += skipped
  position.failed += failed + unknown
  position.resumed += resumed
  for (const { key, error } of failures) {
    if (position.failures.length >= MOST_FAILURES) return
    const message = error instanceof Error ? error.message : String(error)
    position.failures.push({ key: key ? [key.partitionKey, key.rowKey] : [], message })
  }
}

/** Makes the operation of a row, without the ETag and the Timestamp of the row that was exported. */
function operationOf({ row, change }: RowLine, onExisting: OnExisting): RowWrite {
  const { partitionKey, rowKey, properties } = row
  if (change === 'delete') return Operation.delete([partitionKey, rowKey], { etag: '*' })
  const fresh = new DynamicEntity(partitionKey, rowKey, properties)
  if (change !== undefined || onExisting === 'replace') return Operation.insertOrReplace(fresh)
  return onExisting === 'merge' ? Operation.insertOrMerge(fresh) : Operation.insert(fresh)
}
