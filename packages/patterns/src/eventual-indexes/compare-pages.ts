import { type EntityModel, entityRows, type KeptTable, requestsInOrder } from '@rowkey/mapper'
import { type FilterNode, printFilter, type RawEntity, TokenTrail } from '@rowkey/odata'
import {
  type CallOptions,
  parseContinuationToken,
  perform,
  printContinuationToken,
  queryEntities,
} from '@rowkey/rest'
import { invalidPatternOption } from '../errors/codes.ts'
import { beginningFilter } from '../rows/row-filter.ts'
import type { Comparison, Scrub } from '../upkeep/comparison.ts'
import type { IndexFinding } from '../upkeep/index-finding.ts'
import { type FollowedScrub, scrubFollowedEntry, scrubFollowedRow } from './scrub-followed.ts'

/**
 * Makes the comparison of indexes whose entries lie in partitions of their own: the rows page by page, and then the entries of each
 * index. Each is compared by itself.
 *
 * @param model - the model of the rows
 * @param table - their table
 * @param isPending - tells whether a row has a message that was not followed yet
 */
export function pageComparison(
  model: EntityModel<object>,
  table: KeptTable,
  isPending: (options: CallOptions) => FollowedScrub['isPending'],
): Comparison {
  return async function* (scrub, from) {
    const stages = stagesOf(model, table, { ...scrub, table, isPending: isPending(scrub.options) })
    const trail = new TokenTrail('the indexed table', from)
    let place: Place | undefined =
      from === undefined ? placeIn(stages, 0) : parsePlace(from, stages)
    while (place !== undefined) {
      const { stage, at } = place
      const { items, token } = await fetchPage(place, scrub.options)
      await scrub.alive()
      const findings = await scrubPage(stage, items, scrub)
      place = token === undefined ? placeIn(stages, at + 1) : { stage, at, token }
      const next = place && `${place.at}:${place.token ?? ''}`
      trail.step(next, items.length)
      const [rows, entries] = at === 0 ? [items.length, 0] : [0, items.length]
      yield { rows, entries, findings, next }
    }
  }
}

/** One part of the work: all rows of a kind in one table. */
interface Stage {
  readonly table: KeptTable
  /** The condition that the rows meet; `undefined` for all rows. */
  readonly filter: FilterNode | undefined
  /** Compares one row, and repairs it if that is wanted. */
  readonly scrub: (row: RawEntity, options: CallOptions) => Promise<readonly IndexFinding[]>
}

/** The rows first, and then the entries of each index. */
function stagesOf(
  model: EntityModel<object>,
  table: KeptTable,
  scrub: FollowedScrub,
): readonly Stage[] {
  const rows = (raw: RawEntity, options: CallOptions) =>
    scrubFollowedRow({ ...scrub, options }, raw)
  const entries = scrub.indexes.map((index): Stage => {
    const filter = beginningFilter(index.beginning)
    const compare = (entry: RawEntity, options: CallOptions) =>
      scrubFollowedEntry({ ...scrub, options }, index, entry)
    return { table: index.tableFor(table), filter, scrub: compare }
  })
  return [{ table, filter: entityRows(model), scrub: rows }, ...entries]
}

/** Where a page begins. */
interface Place {
  readonly stage: Stage
  /** The number of the stage. */
  readonly at: number
  /** The continuation token; `undefined` for the first page. */
  readonly token: string | undefined
}

function placeIn(stages: readonly Stage[], at: number): Place | undefined {
  const stage = stages[at]
  return stage && { stage, at, token: undefined }
}

/** @throws InputError (`InvalidPatternOption`) */
function parsePlace(text: string, stages: readonly Stage[]): Place {
  const [at, ...rest] = text.split(':')
  const place = placeIn(stages, Number(at))
  if (place !== undefined && rest.length > 0)
    return { ...place, token: rest.join(':') || undefined }
  throw invalidPatternOption(
    `from must be the next of an earlier run over the same indexes; got ${JSON.stringify(text)}.`,
  )
}

async function fetchPage(
  { stage: { table, filter }, token }: Place,
  options: CallOptions,
): Promise<{ readonly items: readonly RawEntity[]; readonly token: string | undefined }> {
  const query = {
    table: table.name,
    ...(filter && { filter: printFilter(filter) }),
    ...(token !== undefined && { continuation: parseContinuationToken(token) }),
  }
  const atPrimary = { ...options, locationMode: 'primaryOnly' } as const
  const page = await perform(table.service, queryEntities, query, atPrimary)
  const { entities: items, continuation } = page
  return { items, token: continuation && printContinuationToken(continuation) }
}

async function scrubPage(
  { table, scrub }: Stage,
  items: readonly RawEntity[],
  { concurrency, options, alive }: Scrub,
): Promise<readonly IndexFinding[]> {
  const findings: IndexFinding[] = []
  const how = { concurrency, options }
  for await (const found of requestsInOrder(table.service, items, scrub, how)) {
    findings.push(...found)
    await alive()
  }
  return findings
}
