import { parseFilter } from '@rowkey/odata'
import { expect, it } from 'vitest'
import { queryRows } from '../../packages/query/src/query-rows.ts'
import { gather, runOf } from './run-of.ts'
import { keysOf, rowsAt, TableSource } from './table-source.ts'

const rows = rowsAt('a/1', 'a/2', 'b/1')
const filterOf = (text: string) => parseFilter(text) ?? expect.unreachable()

it('runs one query, several at once, or reads by key, to the same rows', async () => {
  const both = filterOf("PartitionKey eq 'a' and (RowKey eq '1' or RowKey eq '2')")
  const ranges = [filterOf("PartitionKey eq 'a'")]
  const ways = [
    [{ filter: filterOf("PartitionKey eq 'a'") }, ["PartitionKey eq 'a'"]],
    [{ parallel: { ranges, concurrency: 1, order: 'keys' } }, ["PartitionKey eq 'a'"]],
    [{ filter: both }, ['a/1', 'a/2']],
  ] as const
  for (const [change, asked] of ways) {
    const source = new TableSource(rows)
    const found = (await gather(queryRows(runOf(source, change)))).flat()
    expect(keysOf(found)).toEqual(['a/1', 'a/2'])
    expect(source.asked).toEqual(asked)
  }
})
