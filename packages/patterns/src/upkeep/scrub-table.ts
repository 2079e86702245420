import { TokenTrail } from '@rowkey/odata'
import type { CallOptions } from '@rowkey/rest'
import type { IndexFinding, IndexProgress } from './index-finding.ts'
import {
  fetchPage,
  type Position,
  parsePosition,
  positionAfter,
  printPosition,
  type ScrubStage,
  scrubPage,
} from './scrub-stage.ts'

/** How a whole table is compared with its indexes. */
export interface TableScrub {
  /** The rows first, and then the entries of each index. */
  readonly stages: readonly ScrubStage[]
  readonly options: CallOptions
  /** How many rows are compared at once. */
  readonly concurrency: number
  /** Where to begin: the `next` of an earlier run, or the beginning. */
  readonly from: string
  readonly onFinding: (finding: IndexFinding) => void
  readonly onProgress: (progress: IndexProgress) => void
}

/** Compares all rows with their entries, and then all entries with their rows. */
export async function scrubTable(scrub: TableScrub): Promise<IndexProgress> {
  const { stages, options, concurrency, from } = scrub
  let progress: IndexProgress = { rows: 0, entries: 0, found: 0, repaired: 0, next: undefined }
  let position: Position | undefined = parsePosition(from, stages)
  const trail = new TokenTrail('the indexed table', from)
  while (position !== undefined) {
    const { stage } = position
    const { items, token } = await fetchPage(position, options)
    const findings = await scrubPage(stage, items, { concurrency, signal: options.signal })
    for (const finding of findings) scrub.onFinding(finding)
    position = positionAfter(position, token, stages)
    const next = position && printPosition(position)
    trail.step(next, items.length)
    const isRows = stage.name === ''
    progress = {
      rows: progress.rows + (isRows ? items.length : 0),
      entries: progress.entries + (isRows ? 0 : items.length),
      found: progress.found + findings.length,
      repaired: progress.repaired + findings.filter(({ repaired }) => repaired).length,
      next,
    }
    scrub.onProgress(progress)
  }
  return progress
}
