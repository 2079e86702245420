import { type FilterNode, filter } from '@rowkey/odata'
import type { PageStart, QueryPage, QueryPlan } from '@rowkey/query'
import type { CallOptions } from '@rowkey/rest'
import { type DynamicEntity, ge } from 'rowkey'
import type { RowTable } from '../target/open-account.ts'
import { type KeyRange, spreadRanges } from './key-ranges.ts'

/** How far one range of a sweep is; plain JSON, so that it can be stored. */
export interface RangeState extends KeyRange {
  /** Where the range continues; absent at its beginning. */
  token?: string
  /** Whether all of its pages were read. */
  isDone?: true
}

/** Tells whether a value from a file is the state of ranges; a sweep has at least one. */
export function isRanges(value: unknown): value is RangeState[] {
  return Array.isArray(value) && value.length > 0 && value.every(isRange)
}

function isRange(value: unknown): boolean {
  const { from, to, token, isDone }: Record<string, unknown> = Object(value)
  return (
    Object(value) === value &&
    [from, to, token].every((text) => text === undefined || typeof text === 'string') &&
    (isDone === undefined || isDone === true)
  )
}

/** A query of rows of any kind. */
export interface SweptQuery<Row extends object> {
  explain(): QueryPlan
  allowTableScan(): SweptQuery<Row>
  prefetch(isOn: boolean): SweptQuery<Row>
  where(condition: FilterNode): SweptQuery<Row>
  byPage(options: CallOptions & PageStart): AsyncIterable<QueryPage<Row>>
}

/** What a sweep reads. */
export interface Sweep<Row extends object = DynamicEntity> {
  /** The rows, without ranges. */
  readonly query: SweptQuery<Row>
  /** How many ranges are read at once. */
  readonly concurrency: number
  readonly signal: AbortSignal
}

/**
 * Splits the rows of a query into ranges. Queries within one partition, and accounts of Cosmos DB, whose rows come in no order, have
 * one range.
 *
 * @param table - the table
 * @param query - the query
 * @param count - how many ranges to find at most
 * @param signal - cancels the requests
 */
export async function rangesOf(
  table: RowTable,
  query: Pick<SweptQuery<object>, 'explain'>,
  count: number,
  signal: AbortSignal,
): Promise<RangeState[]> {
  const { plan } = query.explain()
  const isWide = plan === 'tableScan' || plan === 'tableRange'
  if (!isWide || table.parts.service.endpoint.flavour === 'cosmos') return [{}]
  const seek = async (from: string | undefined): Promise<string | undefined> => {
    const all = table.query().allowTableScan()
    const rows = from === undefined ? all : all.where({ partitionKey: ge(from) })
    const found = await rows.select('partitionKey').firstOrUndefined({ signal })
    return found?.partitionKey
  }
  return [...(await spreadRanges(seek, count))]
}

/**
 * Reads all rows of ranges, page by page, several ranges at once. A range records its position when its page was handled, so that a
 * later sweep over the same ranges goes on there.
 *
 * @param sweep - what to read
 * @param ranges - the ranges; their positions change
 * @param onPage - handles the rows of one page of a range; the next page of the range waits for it
 */
export async function sweepRanges<Row extends object>(
  sweep: Sweep<Row>,
  ranges: readonly RangeState[],
  onPage: (rows: readonly Row[], range: number) => Promise<void>,
): Promise<void> {
  const waiting = [...ranges.entries()].filter(([, { isDone }]) => isDone !== true).values()
  const failed = new AbortController()
  const signal = AbortSignal.any([sweep.signal, failed.signal])
  const work = async (): Promise<void> => {
    for (const [at, range] of waiting) {
      await sweepRange({ ...sweep, signal }, range, (rows) => onPage(rows, at))
    }
  }
  try {
    await Promise.all(Array.from({ length: Math.min(sweep.concurrency, ranges.length) }, work))
  } finally {
    failed.abort()
  }
}

async function sweepRange<Row extends object>(
  { query, signal }: Sweep<Row>,
  range: RangeState,
  onPage: (rows: readonly Row[]) => Promise<void>,
): Promise<void> {
  const { from, to, token } = range
  let rows = query.allowTableScan().prefetch(true)
  if (from !== undefined) rows = rows.where(filter`PartitionKey ge ${from}`)
  if (to !== undefined) rows = rows.where(filter`PartitionKey lt ${to}`)
  for await (const page of rows.byPage({ continuationToken: token, signal })) {
    await onPage(page.items)
    if (page.continuationToken === undefined) delete range.token
    else range.token = page.continuationToken
    signal.throwIfAborted()
  }
  range.isDone = true
}
