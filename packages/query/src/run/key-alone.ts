import { withChange } from '../query-node.ts'
import type { QueryOptions } from '../query-source.ts'
import type { QueryRun } from './query-run.ts'

/** All that is asked for to count a row. Of several queries, only whole keys tell a row that is in two. */
const COUNTED = Object.freeze(['PartitionKey'])
const COUNTED_ONCE = Object.freeze(['PartitionKey', 'RowKey'])

/** The same run for rows that are only counted: as little of them as can be, which is not read. */
export function withKeyAlone<Options extends QueryOptions>(
  run: QueryRun<unknown, Options>,
): QueryRun<unknown, Options> {
  const { node } = run
  // A filter on this side looks at the rows as they are.
  if (node.localFilter !== undefined) return run
  const select = node.parallel === undefined ? COUNTED : COUNTED_ONCE
  return { ...run, node: withChange(node, { select }), read: (raw) => raw }
}
