import {
  type AnyQuerySource,
  dynamicQueryModel,
  levelOfRun,
  type QueryOptions,
  type QueryPage,
  RequestGate,
} from '@rowkey/query'
import { type QueryNode, queryNode, withChange } from '../../packages/query/src/node/query-node.ts'
import { type ParallelSchedule, RangePages } from '../../packages/query/src/parallel/range-pages.ts'
import { RowBudget } from '../../packages/query/src/parallel/row-budget.ts'
import { pageTokens } from '../../packages/query/src/read/query-pages.ts'
import { runPages } from '../../packages/query/src/run/run-pages.ts'
import type { QueryRun } from '../../packages/query/src/source/query-source.ts'

/** A query for everything, with an opt-in to the table scan. */
export const everything: QueryNode = withChange(queryNode(dynamicQueryModel('people')), {
  scans: 'tableScan',
})

/** A run of {@link everything}, or of a variation of it. */
export function runOf<Row>(
  source: AnyQuerySource<Row>,
  change: Partial<QueryNode> = {},
  how: { options?: QueryOptions; prefetch?: boolean } = {},
): QueryRun<Row> {
  const node = withChange(everything, change)
  return { node, source, options: {}, prefetch: false, ...how }
}

/** The pages of a run among several, of more than one partition. */
export function rangeOf<Row>(run: QueryRun<Row>, schedule: ParallelSchedule): RangePages<Row> {
  return new RangePages(run, undefined, schedule)
}

/** So many requests at once. */
export function scheduleOf(ahead: number, prefetch = false): ParallelSchedule {
  const gate = new RequestGate(levelOfRun(ahead, undefined))
  return { ahead, gate, budget: new RowBudget(), prefetch }
}

/** Collects everything that an iterable yields. */
export async function gather<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const gathered: Item[] = []
  for await (const item of items) gathered.push(item)
  return gathered
}

/** The pages of a run whose caller keeps tokens. */
export function pagesOf<Row>(
  run: QueryRun<Row>,
  start?: string,
): AsyncGenerator<QueryPage<Row>, void, undefined> {
  return runPages(run, pageTokens(run, start))
}
