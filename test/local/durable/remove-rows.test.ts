import { describe, expect, it } from 'vitest'
import { removeRows } from '../../../packages/local/src/durable/durable-store.ts'
import {
  droppedKey,
  RECORDS,
  rowKey,
  rowRange,
} from '../../../packages/local/src/durable/record-key.ts'
import { Records } from '../../../packages/local/src/durable/records.ts'
import { EVERYTHING } from '../../../packages/local/src/keys/key-range.ts'
import { temporaryFolder } from '../../support/local-folder.ts'

const ROWS = 700

/** Returns the records of two tables, after the first table was dropped. */
async function recordsWithRows(): Promise<Records> {
  const records = await Records.open(await temporaryFolder())
  await records.commit((draft) => {
    draft.put(droppedKey(1), '1')
    for (const table of [1, 2]) {
      for (let at = 0; at < ROWS; at++) draft.put(rowKey(table, String(at)), 'row')
    }
  })
  return records
}

async function countOf(records: Records, table: number): Promise<number> {
  let count = 0
  await records.scan(rowRange(table, EVERYTHING), () => ++count > 0)
  return count
}

describe('removeRows', () => {
  it('removes the rows of one table, and then the record that they remain', async () => {
    const records = await recordsWithRows()
    await removeRows(records, 1, new AbortController().signal)
    expect([await countOf(records, 1), await countOf(records, 2)]).toEqual([0, ROWS])
    await records.scan(RECORDS.dropped, () => expect.fail('nothing is left to do'))
    await records.close()
  })

  it('keeps that record when it is stopped before the last row', async () => {
    const records = await recordsWithRows()
    const controller = new AbortController()
    const removal = removeRows(records, 1, controller.signal)
    controller.abort()
    await removal
    expect(await countOf(records, 1)).toBe(ROWS - 500)
    expect(await records.get(droppedKey(1))).toBe('1')
    await records.close()
  })

  it('keeps that record when it is stopped at once', async () => {
    const records = await recordsWithRows()
    await removeRows(records, 1, AbortSignal.abort())
    expect(await countOf(records, 1)).toBe(ROWS)
    expect(await records.get(droppedKey(1))).toBe('1')
    await records.close()
  })
})
