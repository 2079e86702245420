import type { KeptTable } from '@rowkey/mapper'
import { type FilterNode, printFilter, type RawEntity } from '@rowkey/odata'
import { resultsInOrder } from '@rowkey/query'
import {
  type CallOptions,
  parseContinuationToken,
  perform,
  printContinuationToken,
  queryEntities,
} from '@rowkey/rest'
import { patternsInputError } from '../errors/codes.ts'
import type { IndexFinding, IndexProgress } from './index-finding.ts'

/** One part of the work: all rows of a kind in one table. */
export interface ScrubStage {
  /** What a place in this stage begins with; empty for the rows of the model. */
  readonly name: string
  /** The table that is read. */
  readonly table: KeptTable
  /** The condition that the rows meet; `undefined` for all rows. */
  readonly filter: FilterNode | undefined
  /** Compares one row, and repairs it if that is wanted. */
  readonly scrub: (row: RawEntity) => Promise<readonly IndexFinding[]>
}

/** How a whole table is compared with its indexes. */
export interface TableScrub {
  /** The rows first, and then the entries of each index. */
  readonly stages: readonly ScrubStage[]
  readonly options: CallOptions
  /** How many rows are compared at once. */
  readonly concurrency: number
  /** Where to continue: the `next` of an earlier run. */
  readonly from: string | undefined
  readonly onFinding: (finding: IndexFinding) => void
  readonly onProgress: (progress: IndexProgress) => void
}

/** A page of a stage. */
interface Position {
  readonly stage: ScrubStage
  /** Which page; `undefined` for the first. */
  readonly token: string | undefined
}

/** Compares all rows with their entries, and then all entries with their rows. */
export async function scrubTable(scrub: TableScrub): Promise<IndexProgress> {
  let progress: IndexProgress = { rows: 0, entries: 0, found: 0, repaired: 0, next: undefined }
  let position: Position | undefined = parsePosition(scrub)
  while (position !== undefined) {
    const { stage } = position
    const { items, token } = await fetchPage(scrub, position)
    const findings = await scrubPage(scrub, stage, items)
    for (const finding of findings) scrub.onFinding(finding)
    position = nextPosition(scrub, stage, token)
    const isRows = stage.name === ''
    progress = {
      rows: progress.rows + (isRows ? items.length : 0),
      entries: progress.entries + (isRows ? 0 : items.length),
      found: progress.found + findings.length,
      repaired: progress.repaired + findings.filter(({ repaired }) => repaired).length,
      next: position && printPosition(position),
    }
    scrub.onProgress(progress)
  }
  return progress
}

async function fetchPage(
  { options }: TableScrub,
  { stage: { table, filter }, token }: Position,
): Promise<{ readonly items: readonly RawEntity[]; readonly token: string | undefined }> {
  const start = token === undefined ? {} : { continuation: parseContinuationToken(token) }
  const input = { table: table.name, ...(filter && { filter: printFilter(filter) }), ...start }
  const page = await perform(table.service, queryEntities, input, {
    ...options,
    locationMode: 'primaryOnly',
  })
  const { entities: items, continuation } = page
  return { items, token: continuation && printContinuationToken(continuation) }
}

async function scrubPage(
  { options: { signal }, concurrency }: TableScrub,
  stage: ScrubStage,
  items: readonly RawEntity[],
): Promise<readonly IndexFinding[]> {
  const findings: IndexFinding[] = []
  const results = resultsInOrder(items, stage.scrub, { concurrency, signal })
  for await (const found of results) findings.push(...found)
  return findings
}

function nextPosition(
  { stages }: TableScrub,
  stage: ScrubStage,
  token: string | undefined,
): Position | undefined {
  if (token !== undefined) return { stage, token }
  const next = stages[stages.indexOf(stage) + 1]
  return next && { stage: next, token: undefined }
}

function printPosition({ stage, token = '' }: Position): string {
  return `${stage.name}:${token}`
}

function parsePosition({ from, stages }: TableScrub): Position | undefined {
  if (from === undefined) return stages[0] && { stage: stages[0], token: undefined }
  const colon = from.indexOf(':')
  const name = from.slice(0, Math.max(colon, 0))
  const stage = stages.find((each) => each.name === name)
  if (colon >= 0 && stage !== undefined) {
    return { stage, token: from.slice(colon + 1) || undefined }
  }
  throw patternsInputError({
    code: 'InvalidPatternOption',
    message: `from must be the next of an earlier run over the same indexes; got ${JSON.stringify(from)}.`,
  })
}
