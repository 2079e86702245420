import { type FilterNode, printFilter, type RawEntity } from '@rowkey/odata'
import { resultsInOrder } from '@rowkey/query'
import {
  parseContinuationToken,
  perform,
  printContinuationToken,
  queryEntities,
} from '@rowkey/rest'
import { patternsInputError } from '../errors/codes.ts'
import type { EntityIndex } from './index-entry.ts'
import type { IndexFinding, IndexProgress } from './index-finding.ts'
import { beginningFilter } from './row-filter.ts'
import { type Scrub, scrubEntry, scrubRow } from './scrub-row.ts'

/** How a whole table is compared with its indexes. */
export interface TableScrub extends Scrub {
  /** The condition that the rows of the model meet. */
  readonly rows: FilterNode
  /** How many rows are compared at once. */
  readonly concurrency: number
  /** Where to continue: the `next` of an earlier run. */
  readonly from: string | undefined
  readonly onFinding: (finding: IndexFinding) => void
  readonly onProgress: (progress: IndexProgress) => void
}

/** A place in the work: in the rows, or in the entries of one index. */
interface Position {
  /** `undefined` for the rows. */
  readonly index: EntityIndex | undefined
  /** Which page; `undefined` for the first. */
  readonly token: string | undefined
}

/** Compares all rows with their entries, and then all entries with their rows. */
export async function scrubTable(scrub: TableScrub): Promise<IndexProgress> {
  let progress: IndexProgress = { rows: 0, entries: 0, found: 0, repaired: 0, next: undefined }
  let position: Position | undefined = parsePosition(scrub)
  while (position !== undefined) {
    const { index } = position
    const { items, token } = await fetchPage(scrub, position)
    const findings = await scrubPage(scrub, index, items)
    for (const finding of findings) scrub.onFinding(finding)
    position = nextPosition(scrub, index, token)
    progress = {
      rows: progress.rows + (index === undefined ? items.length : 0),
      entries: progress.entries + (index === undefined ? 0 : items.length),
      found: progress.found + findings.length,
      repaired: progress.repaired + findings.filter(({ repaired }) => repaired).length,
      next: position && printPosition(position),
    }
    scrub.onProgress(progress)
  }
  return progress
}

async function fetchPage(
  { table, rows, options }: TableScrub,
  { index, token }: Position,
): Promise<{ readonly items: readonly RawEntity[]; readonly token: string | undefined }> {
  const filter = printFilter(index === undefined ? rows : beginningFilter(index.beginning))
  const start = token === undefined ? {} : { continuation: parseContinuationToken(token) }
  const input = { table: table.name, filter, ...start }
  const page = await perform(table.service, queryEntities, input, {
    ...options,
    locationMode: 'primaryOnly',
  })
  const { entities: items, continuation } = page
  return { items, token: continuation && printContinuationToken(continuation) }
}

async function scrubPage(
  scrub: TableScrub,
  index: EntityIndex | undefined,
  items: readonly RawEntity[],
): Promise<readonly IndexFinding[]> {
  const work = (item: RawEntity) =>
    index === undefined ? scrubRow(scrub, item) : scrubEntry(scrub, index, item)
  const { signal } = scrub.options
  const findings: IndexFinding[] = []
  const results = resultsInOrder(items, work, { concurrency: scrub.concurrency, signal })
  for await (const found of results) findings.push(...found)
  return findings
}

function nextPosition(
  { indexes }: TableScrub,
  index: EntityIndex | undefined,
  token: string | undefined,
): Position | undefined {
  if (token !== undefined) return { index, token }
  const next = indexes[index === undefined ? 0 : indexes.indexOf(index) + 1]
  return next && { index: next, token: undefined }
}

function printPosition({ index, token = '' }: Position): string {
  return `${index?.name ?? ''}:${token}`
}

function parsePosition({ from, indexes }: TableScrub): Position {
  if (from === undefined) return { index: undefined, token: undefined }
  const colon = from.indexOf(':')
  const name = from.slice(0, Math.max(colon, 0))
  const index = indexes.find((each) => each.name === name)
  if (colon >= 0 && (index !== undefined || name === '')) {
    return { index, token: from.slice(colon + 1) || undefined }
  }
  throw patternsInputError({
    code: 'InvalidPatternOption',
    message: `from must be the next of an earlier run over the same indexes; got ${JSON.stringify(from)}.`,
  })
}
