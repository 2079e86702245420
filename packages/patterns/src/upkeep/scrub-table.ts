import type { KeptTable } from '@rowkey/mapper'
import { type FilterNode, printFilter, type RawEntity, TokenTrail } from '@rowkey/odata'
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

/** How a whole table is compared with its indexes. */
interface TableScrub {
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

/** One part of the work: all rows of a kind in one table. */
export interface ScrubStage {
  /** The beginning of the places in this stage; empty for the rows of the model. */
  readonly name: string
  /** The table that is read. */
  readonly table: KeptTable
  /** The condition that the rows meet; `undefined` for all rows. */
  readonly filter: FilterNode | undefined
  /** Compares one row, and repairs it if that is wanted. */
  readonly scrub: (row: RawEntity) => Promise<readonly IndexFinding[]>
}

/** A place in a table: where a page of a stage begins. */
interface Position {
  readonly stage: ScrubStage
  /** The continuation token; `undefined` for the first page. */
  readonly token: string | undefined
}

/** A page of a stage. */
interface StagePage {
  readonly items: readonly RawEntity[]
  /** Where the stage continues; `undefined` after its last page. */
  readonly token: string | undefined
}

/**
 * Reads a page at the primary location.
 *
 * @param position - where it begins
 * @param top - how many rows at most; 1,000 when absent
 */
export async function fetchPage(
  { stage: { table, filter }, token }: Position,
  options: CallOptions,
  top?: number,
): Promise<StagePage> {
  const query = {
    table: table.name,
    ...(filter && { filter: printFilter(filter) }),
    ...(token !== undefined && { continuation: parseContinuationToken(token) }),
    ...(top !== undefined && { top }),
  }
  const atPrimary = { ...options, locationMode: 'primaryOnly' } as const
  const { entities: items, continuation } = await perform(
    table.service,
    queryEntities,
    query,
    atPrimary,
  )
  return { items, token: continuation && printContinuationToken(continuation) }
}

/** Compares the rows of a page, several at once. */
export async function scrubPage(
  stage: ScrubStage,
  items: readonly RawEntity[],
  how: { readonly concurrency: number; readonly signal: AbortSignal | undefined },
): Promise<readonly IndexFinding[]> {
  const findings: IndexFinding[] = []
  for await (const found of resultsInOrder(items, stage.scrub, how)) findings.push(...found)
  return findings
}

/** Returns where the work continues after a page; `undefined` after the last page of the last stage. */
export function positionAfter(
  { stage }: Position,
  token: string | undefined,
  stages: readonly ScrubStage[],
): Position | undefined {
  if (token !== undefined) return { stage, token }
  const next = stages[stages.indexOf(stage) + 1]
  return next && { stage: next, token: undefined }
}

/** Where all work begins, as text: the first row of the model. */
export const BEGINNING = ':'

/** Prints a place as text. */
export function printPosition({ stage, token = '' }: Position): string {
  return `${stage.name}:${token}`
}

/**
 * Parses a place of {@link printPosition}.
 *
 * @param text - the place
 * @param stages - the stages of the work
 * @throws InputError (`InvalidPatternOption`)
 */
export function parsePosition(text: string, stages: readonly ScrubStage[]): Position {
  const [name, ...rest] = text.split(':')
  const stage = stages.find((each) => each.name === name)
  if (rest.length > 0 && stage !== undefined) return { stage, token: rest.join(':') || undefined }
  throw patternsInputError({
    code: 'InvalidPatternOption',
    message: `from must be the next of an earlier run over the same indexes; got ${JSON.stringify(text)}.`,
  })
}
