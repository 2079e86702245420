import { DateTimeValue, type EntityKey } from '@rowkey/odata'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { DurableStore } from '../../../packages/local/src/durable/durable-store.ts'
import type { StoredEntity } from '../../../packages/local/src/entity/stored-entity.ts'
import {
  EVERYTHING,
  type KeyRange,
  printStoreKey,
} from '../../../packages/local/src/keys/key-range.ts'
import { MemoryStore } from '../../../packages/local/src/store/memory-store.ts'
import type { StoredTable, TableStore } from '../../../packages/local/src/store/table-store.ts'
import { temporaryFolder } from '../../support/local-folder.ts'
import { storedRow } from '../../support/stored-row.ts'

const keyOf = (partitionKey: string, rowKey: string): EntityKey => ({ partitionKey, rowKey })
const rowAt = (key: EntityKey) => storedRow(key, new DateTimeValue(0), new Map())

async function tableOf(store: TableStore): Promise<StoredTable> {
  await store.createTable('contoso', 'people')
  return (await store.findTable('contoso', 'people')) as StoredTable
}

async function durableTable(): Promise<StoredTable> {
  const folder = await temporaryFolder()
  const store = new DurableStore({
    folder,
    flavour: 'storage',
    onOpen: () => undefined,
    report: expect.fail,
  })
  onTestFinished(() => store.close())
  return tableOf(store)
}

async function rowsOf(table: StoredTable, range: KeyRange = EVERYTHING): Promise<string[]> {
  const seen: string[] = []
  await table.scan(range, (row) => seen.push(printStoreKey(row.partitionKey, row.rowKey)) > 0)
  return seen
}

const text = fc
  .array(fc.constantFrom('a', 'b', '\u{1f600}', '\uffff', ' '), { maxLength: 3 })
  .map((units) => units.join(''))
const key = fc.record({ partitionKey: text, rowKey: text })

describe('a durable table', () => {
  it('R-13: returns the same rows as a table in memory, in any range and in the same order', async () => {
    const [durable, memory] = [await durableTable(), await tableOf(new MemoryStore())]
    await fc.assert(
      fc.asyncProperty(fc.array(key, { maxLength: 8 }), key, key, async (keys, from, to) => {
        for (const at of keys) {
          for (const table of [durable, memory]) {
            await table.change([at], ([row]) => [row === undefined ? rowAt(at) : undefined])
          }
        }
        const range = {
          low: printStoreKey(from.partitionKey, from.rowKey),
          high: printStoreKey(to.partitionKey, to.rowKey),
        }
        for (const each of [EVERYTHING, range, { low: range.low }]) {
          expect(await rowsOf(durable, each)).toEqual(await rowsOf(memory, each))
        }
        expect((await durable.get(from))?.text).toBe((await memory.get(from))?.text)
      }),
      { numRuns: 40 },
    )
  })

  it('visits no row after the visitor ends the scan', async () => {
    const table = await durableTable()
    const keys = ['a', 'b', 'c'].map((row) => keyOf('p', row))
    await table.change(keys, () => keys.map(rowAt))
    const seen: string[] = []
    await table.scan(EVERYTHING, (row) => seen.push(row.rowKey) < 2)
    expect(seen).toEqual(['a', 'b'])
  })

  it('scans the rows as they were when the scan began', async () => {
    const table = await durableTable()
    const keys = Array.from({ length: 1_500 }, (_, at) => keyOf('p', String(at).padStart(4, '0')))
    await table.change(keys, () => keys.map(rowAt))
    let deletion: Promise<unknown> | undefined
    let count = 0
    await table.scan(EVERYTHING, () => {
      deletion ??= table.change(keys, () => keys.map(() => undefined))
      return ++count > 0
    })
    await deletion
    expect(count).toBe(1_500)
    expect(await rowsOf(table)).toEqual([])
  })

  it('R-53: changes nothing when the decision throws', async () => {
    const table = await durableTable()
    const [a, b] = [keyOf('p', 'a'), keyOf('p', 'b')]
    await table.change([a], () => [rowAt(a)])
    const change = table.change([a, b], () => {
      throw new RangeError('no')
    })
    await expect(change).rejects.toThrow('no')
    expect(await rowsOf(table)).toEqual([printStoreKey('p', 'a')])
  })

  it('lets no write happen between what another reads and writes', async () => {
    const table = await durableTable()
    const counter = keyOf('p', 'counter')
    const countOf = (row: StoredEntity | undefined) => row?.timestamp.getTime() ?? 0
    const addOne = () =>
      table.change([counter], ([row]) => [
        storedRow(counter, new DateTimeValue(countOf(row) + 1), new Map()),
      ])
    await Promise.all(Array.from({ length: 300 }, addOne))
    expect(countOf(await table.get(counter))).toBe(300)
  })
})
