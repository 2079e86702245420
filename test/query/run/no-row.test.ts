import { parseFilter } from '@rowkey/odata'
import { NoRowError } from '@rowkey/query'
import { expect, it } from 'vitest'
import type { QueryNode } from '../../../packages/query/src/query-node.ts'
import { withChange } from '../../../packages/query/src/query-node.ts'
import { noRow } from '../../../packages/query/src/run/no-row.ts'
import { everything } from '../run-of.ts'

const filter = parseFilter("PartitionKey eq 'a'")
const localFilter = () => false

it.each<[Partial<QueryNode>, string]>([
  [{}, 'It has no row.'],
  [{ filter }, "None matches: PartitionKey eq 'a'."],
  [{ localFilter }, '.filterLocally keeps none.'],
  [{ filter, localFilter }, ".filterLocally keeps none of what matches: PartitionKey eq 'a'."],
  [
    { filter, parallel: { ranges: [filter!, filter!], concurrency: 8, order: 'keys' } },
    'None of its 2 queries has one.',
  ],
])('%# says why there is no first row', (change, why) => {
  const error = noRow(withChange(everything, change))
  expect(error).toBeInstanceOf(NoRowError)
  expect(error.message).toBe(
    `The query on people has no first row. ${why} Ask with firstOrUndefined() where that may be.`,
  )
})
