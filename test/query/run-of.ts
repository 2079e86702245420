import { type AnyQuerySource, dynamicQueryModel, type QueryOptions } from '@rowkey/query'
import { type QueryNode, queryNode, withChange } from '../../packages/query/src/query-node.ts'
import { type QueryRun, rowReader } from '../../packages/query/src/run/query-run.ts'

/** A query for everything, which has leave to. */
export const everything: QueryNode = withChange(queryNode(dynamicQueryModel('people')), {
  scans: 'tableScan',
})

/** A run of {@link everything}, or of a query made of it. */
export function runOf<Row>(
  source: AnyQuerySource<Row>,
  change: Partial<QueryNode> = {},
  how: { options?: QueryOptions; prefetch?: boolean } = {},
): QueryRun<Row> {
  const node = withChange(everything, change)
  return { node, source, options: {}, prefetch: false, ...how, read: rowReader(node, source) }
}

/** Everything that comes. */
export async function gather<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const gathered: Item[] = []
  for await (const item of items) gathered.push(item)
  return gathered
}
