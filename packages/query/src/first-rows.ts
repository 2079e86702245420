import { withChange } from './query-node.ts'
import { queryRows } from './query-rows.ts'
import type { QueryOptions } from './query-source.ts'
import type { QueryRun } from './run/query-run.ts'

/** The first row of a run, alone; none when there is none. */
export async function firstRows<Row, Options extends QueryOptions>(
  run: QueryRun<Row, Options>,
): Promise<readonly Row[]> {
  const one = { ...run, node: withChange(run.node, { take: 1 }) }
  for await (const rows of queryRows(one)) if (rows.length > 0) return rows
  return []
}
