import type { DynamicEntity } from '@rowkey/odata'
import { bindQuery, dynamicQueryModel } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { longTest } from '../../support/cases-to-play.ts'
import { rowsAt, TableSource } from '../table-source.ts'

const rows = rowsAt('a/1', 'a/2', 'a/3', 'b/1', 'b/2', 'c/1', 'd/1', 'd/2')
const queryOn = (source: TableSource) => bindQuery(dynamicQueryModel('people'), source)

describe('the memory of pages that come ahead', () => {
  it('is that of the rows as they came: each page is read when its rows are wanted', async () => {
    for (const order of ['keys', 'arrival'] as const) {
      const read: string[] = []
      const source = new TableSource(rows)
      const watched = Object.assign(source, {
        readRow(row: DynamicEntity) {
          read.push(row.partitionKey)
          return row
        },
      })
      const arriving = queryOn(watched)
        .inPartitions(['a', 'b', 'c', 'd'], { order })
        [Symbol.asyncIterator]()
      await arriving.next()
      await new Promise(setImmediate)
      expect(source.asked).toHaveLength(4)
      expect(new Set(read)).toEqual(new Set(['a']))
      let left = rows.length - 1
      while ((await arriving.next()).done !== true) left--
      expect([left, read.length]).toEqual([0, rows.length])
    }
  })

  longTest('makes room for rows that were dropped when they were read', async () => {
    const keys = Array.from({ length: 40 }, (_, partition) =>
      Array.from({ length: 1_000 }, (_, row) => `p${10 + partition}/${row}`),
    )
    const source = new TableSource(rowsAt(...keys.flat()))
    const partitions = keys.map(([first = '']) => first.slice(0, 3))
    for (const order of ['keys', 'arrival'] as const) {
      const query = queryOn(source).inPartitions(partitions, { order })
      expect(await query.filterLocally(({ rowKey }) => rowKey === '7').toArray()).toHaveLength(40)
    }
  })
})
