import type { DynamicEntity } from 'rowkey'
import { ge, lt } from 'rowkey'
import type { RowQuery } from '../condition/query-options.ts'
import { counted } from '../output/progress.ts'
import { rangesOf, sweepRanges } from '../sweep/sweep-table.ts'
import type { RowTable } from '../target/open-account.ts'

/** Into how many ranges of partitions a sample is spread. */
const RANGES = 16

/** Which rows are read. */
export interface SamplePlan {
  readonly table: RowTable
  readonly query: RowQuery
  /** How many rows to read; all when absent. */
  readonly rows: number | undefined
  readonly signal: AbortSignal
}

/** Rows to make a model of. */
export interface Sample {
  /** Calls the function with each row; each call reads them anew, or from memory. */
  readonly read: (onRow: (row: DynamicEntity) => void) => Promise<void>
  /** What was read, in one sentence. */
  readonly coverage: string
}

/**
 * Reads rows that are spread over the key space: the service has no random sample, and its first rows are all in the lowest partitions.
 *
 * @param plan - which rows
 */
export async function sampleRows(plan: SamplePlan): Promise<Sample> {
  const { table, query, rows, signal } = plan
  const ranges = await rangesOf(table, query, RANGES, signal)
  if (rows === undefined) {
    const read = (onRow: (row: DynamicEntity) => void): Promise<void> =>
      sweepRanges(
        { query, concurrency: 8, signal },
        ranges.map((range) => ({ ...range })),
        async (page) => {
          for (const row of page) onRow(row)
        },
      )
    return { read, coverage: `All rows of ${table.name}.` }
  }
  const each = Math.ceil(rows / ranges.length)
  const parts = await Promise.all(
    ranges.map(({ from, to }) => {
      let part = query.allowTableScan()
      if (from !== undefined) part = part.where({ partitionKey: ge(from) })
      if (to !== undefined) part = part.where({ partitionKey: lt(to) })
      return part.take(each).toArray({ signal })
    }),
  )
  const found = parts.flat()
  const partitions = new Set(found.map(({ partitionKey }) => partitionKey)).size
  const whole = parts.filter((part) => part.length < each).length
  return {
    read: async (onRow) => {
      for (const row of found) onRow(row)
    },
    coverage: `A sample of ${table.name}: ${counted(found.length, 'row')} of ${counted(partitions, 'partition')}, from ${counted(ranges.length, 'range')} of keys, ${whole} of them read to the end.`,
  }
}
