import type { KeptTable } from '@rowkey/mapper'
import { comparison, DynamicEntity, dynamicEntityCodec, keyOfRaw, literalOf } from '@rowkey/odata'
import { type CallOptions, type Change, insertEntity } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { storeTogether } from '../../../packages/patterns/src/rows/changes.ts'
import { scanRows } from '../../../packages/patterns/src/rows/scan-rows.ts'
import { transactionsOf } from '../../../packages/patterns/src/rows/transactions-of.ts'
import { longTest } from '../../support/cases-to-play.ts'
import { isBatch, office } from '../employees.ts'

const inSales = comparison('PartitionKey', 'eq', literalOf('Sales', 'String'))

async function opened() {
  const all = office()
  await all.account.createTable('rows')
  all.sent.length = 0
  return { ...all, table: { service: all.account.service, name: 'rows' } }
}

function insertion(at: number, text = '') {
  const row = new DynamicEntity('Sales', String(at).padStart(5, '0'), { text })
  const body = dynamicEntityCodec.write(row)
  return { operation: insertEntity, input: { table: 'rows', key: row, body } }
}

async function writeRows(
  table: KeptTable,
  changes: readonly Change[],
  options: CallOptions,
): Promise<void> {
  const groups = changes.map((change) => ({ changes: [change] }))
  for (const part of transactionsOf(groups, table.service, options)) {
    await storeTogether(
      table,
      part.flatMap((group) => group.changes),
      options,
    )
  }
}

describe('transactionsOf and scanRows', () => {
  it('write 100 rows in each transaction, and read all pages', async () => {
    const { table, sent } = await opened()
    await writeRows(
      table,
      Array.from({ length: 1_100 }, (_, at) => insertion(at)),
      {},
    )
    expect(sent.filter(isBatch)).toHaveLength(11)
    sent.length = 0
    const keys: string[] = []
    for await (const raw of scanRows(table, inSales, {})) keys.push(keyOfRaw(raw).rowKey)
    expect(keys).toHaveLength(1_100)
    expect(sent).toHaveLength(2)
  })

  it('write 99 rows in each transaction of exact writes, beside the marker', async () => {
    const { table, sent } = await opened()
    const rows = Array.from({ length: 150 }, (_, at) => insertion(at))
    await writeRows(table, rows, { exactWrites: true })
    expect(sent.filter(isBatch)).toHaveLength(2)
  })

  longTest('cut a transaction by its bytes, too', async () => {
    const { table, sent } = await opened()
    const long = 'ä'.repeat(30_000) // 60,000 bytes
    await writeRows(
      table,
      Array.from({ length: 75 }, (_, at) => insertion(at, long)),
      {},
    )
    expect(sent.filter(isBatch)).toHaveLength(2)
  })

  it('send nothing without changes', async () => {
    const { table, sent } = await opened()
    await writeRows(table, [], {})
    expect(sent).toEqual([])
  })
})
