import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DateTimeValue, type EntityKey, parseDateTime } from '@rowkey/odata'
import { describe, expect, it, type MockInstance, vi } from 'vitest'
import { DurableStore } from '../../../packages/local/src/durable/durable-store.ts'
import { CLOCK_KEY, NEXT_TABLE_KEY } from '../../../packages/local/src/durable/record-key.ts'
import { Records } from '../../../packages/local/src/durable/records.ts'
import { EVERYTHING } from '../../../packages/local/src/keys/key-range.ts'
import { NEW_SERVICE } from '../../../packages/local/src/service-properties/service-properties.ts'
import type { StoredTable } from '../../../packages/local/src/store/table-store.ts'
import { failNextSync } from '../../support/engine-writes.ts'
import { temporaryFolder } from '../../support/local-folder.ts'
import { storedRow } from '../../support/stored-row.ts'

const NOON = parseDateTime('2026-11-20T12:00:00.0000001Z') as DateTimeValue
const keyOf = (partitionKey: string, rowKey: string): EntityKey => ({ partitionKey, rowKey })
const rowAt = (key: EntityKey, time = NOON) => storedRow(key, time, new Map())

interface Seen {
  readonly store: DurableStore
  readonly opened: (DateTimeValue | undefined)[]
  readonly reported: unknown[]
}

function storeIn(folder: string): Seen {
  const opened: (DateTimeValue | undefined)[] = []
  const reported: unknown[] = []
  const store = new DurableStore({
    folder,
    flavour: 'storage',
    onOpen: (latest) => void opened.push(latest),
    report: (error) => void reported.push(error),
  })
  return { store, opened, reported }
}

const tableOf = async (store: DurableStore, name = 'people') =>
  (await store.findTable('contoso', name)) as StoredTable

async function rowsOf(table: StoredTable): Promise<string[]> {
  const seen: string[] = []
  await table.scan(EVERYTHING, (row) => seen.push(`${row.partitionKey}/${row.rowKey}`) > 0)
  return seen
}

/** Resolves when a method was called this many times and all calls have ended. */
async function callsOf(method: MockInstance<Records['commit']>, count: number): Promise<void> {
  while (method.mock.calls.length < count) await new Promise(setImmediate)
  await Promise.all(method.mock.results.map(({ value }) => value))
  method.mockRestore()
}

/** Returns the keys of all records except the totals. */
async function keysIn(folder: string): Promise<string[]> {
  const keys: string[] = []
  const records = await Records.open(folder)
  await records.scan({ low: '\u0002', high: '\u007f' }, (_text, key) => keys.push(key) > 0)
  await records.close()
  return keys
}

/** Opens a store in the folder, reads from it, and closes it. */
async function look<Result>(
  folder: string,
  act: (store: DurableStore, seen: Seen) => Promise<Result>,
): Promise<Result> {
  const seen = storeIn(folder)
  try {
    return await act(seen.store, seen)
  } finally {
    await seen.store.close()
    expect(seen.reported).toEqual([])
  }
}

describe('DurableStore', () => {
  it('R-01: keeps tables, the case of their names, and their order', async () => {
    const folder = await temporaryFolder()
    await look(folder, async (store) => {
      expect(await store.createTable('contoso', 'People')).toBe(true)
      expect(await store.createTable('contoso', 'PEOPLE')).toBe(false)
      for (const name of ['beta', 'Alpha']) await store.createTable('contoso', name)
      expect(await store.tableNames('contoso')).toEqual(['Alpha', 'beta', 'People'])
    })
    await look(folder, async (store) => {
      expect(await store.tableNames('contoso')).toEqual(['Alpha', 'beta', 'People'])
      expect((await tableOf(store, 'PEOPLE')).name).toBe('People')
      expect(await store.findTable('fabrikam', 'People')).toBeUndefined()
      expect(await store.createTable('contoso', 'people')).toBe(false)
    })
  })

  it('creates one table when two calls create it at once', async () => {
    await look(await temporaryFolder(), async (store) => {
      const made = ['people', 'People'].map((name) => store.createTable('contoso', name))
      expect(await Promise.all(made)).toEqual([true, false])
    })
  })

  it('keeps policies and properties', async () => {
    const folder = await temporaryFolder()
    const policies = [{ id: 'a', start: NOON, expiry: undefined, permissions: 'r' }]
    const logging = { ...NEW_SERVICE.logging, read: true }
    await look(folder, async (store) => {
      await store.createTable('contoso', 'people')
      expect(await (await tableOf(store)).policies()).toEqual([])
      await (await tableOf(store)).setPolicies(policies)
      expect(await store.properties('contoso')).toBe(NEW_SERVICE)
      await Promise.all(
        [{ logging }, { cors: [] }].map((each) => store.setProperties('contoso', each)),
      )
      expect(await store.properties('contoso')).toEqual({ ...NEW_SERVICE, logging })
    })
    await look(folder, async (store) => {
      expect(await (await tableOf(store)).policies()).toEqual(policies)
      expect(await store.properties('contoso')).toEqual({ ...NEW_SERVICE, logging })
      expect(await store.properties('fabrikam')).toBe(NEW_SERVICE)
    })
  })

  it('knows the latest Timestamp, even of a deleted row', async () => {
    const folder = await temporaryFolder()
    const [early, late] = [keyOf('p', 'early'), keyOf('p', 'late')]
    const later = parseDateTime('2026-11-20T12:00:00.0000002Z') as DateTimeValue
    await look(folder, async (store, { opened }) => {
      await store.createTable('contoso', 'people')
      const table = await tableOf(store)
      await table.change([early, late], () => [rowAt(early), rowAt(late, later)])
      await table.change([late], () => [undefined])
      expect(opened).toEqual([undefined])
    })
    await look(folder, async (store, { opened }) => {
      await store.open()
      expect(opened).toEqual([later])
    })
  })

  it('compares the latest Timestamp to 100 ns, and never lowers it', async () => {
    const folder = await temporaryFolder()
    const [first, second, third] = [keyOf('p', '1'), keyOf('p', '2'), keyOf('p', '3')]
    const at = (ticks: number) => new DateTimeValue(NOON.getTime(), ticks)
    await look(folder, async (store) => {
      await store.createTable('contoso', 'people')
      const table = await tableOf(store)
      await table.change([first], () => [rowAt(first, at(1))])
      await table.change([second, third], () => [rowAt(second, at(3)), rowAt(third, at(2))])
      await table.change([first], () => [rowAt(first, at(1))])
    })
    await look(folder, async (store, { opened }) => {
      await store.open()
      expect(opened).toEqual([at(3)])
    })
  })

  it.each([
    [[0, 1, 10, 9_999, 5_000], 9_999],
    [[1_000, 100, 1_001, 0], 1_001],
    [[10, 1], 10],
  ])('knows the latest of the ticks %j, whose texts differ in length', async (ticks, latest) => {
    const folder = await temporaryFolder()
    const at = (past: number) => new DateTimeValue(NOON.getTime(), past)
    await look(folder, async (store) => {
      await store.createTable('contoso', 'people')
      const table = await tableOf(store)
      for (const past of ticks) {
        const key = keyOf('p', String(past))
        await table.change([key], () => [rowAt(key, at(past))])
      }
    })
    await look(folder, async (store, { opened }) => {
      await store.open()
      expect(opened).toEqual([at(latest)])
    })
  })

  it('R-25: drops a table with its rows, and a new one of that name is empty', async () => {
    const folder = await temporaryFolder()
    const keys = Array.from({ length: 1_200 }, (_, at) => keyOf('p', String(at)))
    await look(folder, async (store) => {
      await store.createTable('contoso', 'people')
      await (await tableOf(store)).change(keys, () => keys.map((key) => rowAt(key)))
      expect(await store.dropTable('contoso', 'PEOPLE')).toBe(true)
      expect(await store.dropTable('contoso', 'people')).toBe(false)
      expect(await store.findTable('contoso', 'people')).toBeUndefined()
      await store.createTable('contoso', 'people')
      expect(await rowsOf(await tableOf(store))).toEqual([])
    })
    await look(folder, async (store) => expect(await rowsOf(await tableOf(store))).toEqual([]))
  })

  it('leaves nothing of a dropped table', async () => {
    const folder = await temporaryFolder()
    await look(folder, async (store) => {
      await store.createTable('contoso', 'people')
      const table = await tableOf(store)
      await table.setPolicies([{ id: 'p', start: NOON, expiry: undefined, permissions: 'r' }])
      await table.change([keyOf('p', 'r')], () => [rowAt(keyOf('p', 'r'))])
      const commits = vi.spyOn(Records.prototype, 'commit')
      await store.dropTable('contoso', 'people')
      expect(await table.policies()).toEqual([])
      await callsOf(commits, 2)
    })
    expect(await keysIn(folder)).toEqual([CLOCK_KEY, NEXT_TABLE_KEY])
  })

  it('reports rows that it cannot remove, and removes them after the next opening', async () => {
    const folder = await temporaryFolder()
    const { store, reported } = storeIn(folder)
    await store.createTable('contoso', 'people')
    const [failure, key] = [new Error('IO error: read'), keyOf('p', 'r')]
    await (await tableOf(store)).change([key], () => [rowAt(key)])
    vi.spyOn(Records.prototype, 'scan').mockRejectedValueOnce(failure)
    expect(await store.dropTable('contoso', 'people')).toBe(true)
    await store.close()
    expect(reported).toEqual([failure])
    await look(folder, async (next) => {
      const commits = vi.spyOn(Records.prototype, 'commit')
      await next.open()
      await callsOf(commits, 1)
    })
    expect(await keysIn(folder)).toEqual([CLOCK_KEY, NEXT_TABLE_KEY])
  })

  it('drops a table once, and never the one that is created meanwhile', async () => {
    const folder = await temporaryFolder()
    await look(folder, async (store) => {
      await store.createTable('contoso', 'people')
      const outcomes = [
        store.dropTable('contoso', 'people'),
        store.createTable('contoso', 'people'),
        store.dropTable('contoso', 'people'),
      ]
      expect(await Promise.all(outcomes)).toEqual([true, true, false])
      expect(await store.tableNames('contoso')).toEqual(['people'])
    })
    await look(folder, async (store) => {
      expect(await store.tableNames('contoso')).toEqual(['people'])
    })
  })

  it('rejects policies for a table that was dropped in the meantime', async () => {
    const folder = await temporaryFolder()
    await look(folder, async (store) => {
      await store.createTable('contoso', 'people')
      const table = await tableOf(store)
      await store.dropTable('contoso', 'people')
      const late = table.setPolicies([
        { id: 'p', start: undefined, expiry: undefined, permissions: 'r' },
      ])
      await expect(late).rejects.toMatchObject({ code: 'TableNotFound' })
    })
  })

  it('keeps the names of deleted tables', async () => {
    const folder = await temporaryFolder()
    const names = new Map([['contoso/people', 1_795_000_000_000]])
    await look(folder, async (store) => {
      expect(await store.keptNames()).toEqual(new Map())
      await store.setKeptNames(names)
      expect(await store.keptNames()).toEqual(names)
    })
    await look(folder, async (store) => expect(await store.keptNames()).toEqual(names))
  })

  it('rejects a write to a table that was dropped in the meantime', async () => {
    await look(await temporaryFolder(), async (store) => {
      await store.createTable('contoso', 'people')
      const table = await tableOf(store)
      await store.dropTable('contoso', 'people')
      await store.createTable('contoso', 'people')
      const key = keyOf('p', 'r')
      const late = table.change([key], () => [rowAt(key)])
      await expect(late).rejects.toMatchObject({ code: 'TableNotFound' })
    })
  })

  it('cannot be opened twice, and opens after the other is closed', async () => {
    const folder = await temporaryFolder()
    const [one, other] = [storeIn(folder).store, storeIn(folder).store]
    await one.open()
    await expect(other.open()).rejects.toMatchObject({ code: 'StoreLocked', folder })
    await one.close()
    await other.open()
    await other.close()
  })

  it('opens after a first try could not read all records', async () => {
    const { store } = storeIn(await temporaryFolder())
    const failure = new Error('IO error: read')
    vi.spyOn(Records.prototype, 'scan').mockRejectedValueOnce(failure)
    await expect(store.open()).rejects.toBe(failure)
    await store.open()
    await store.close()
  })

  it('changes nothing in a folder when it is closed again', async () => {
    const folder = await temporaryFolder()
    const file = () => readFile(join(folder, 'rowkey-store.json'), 'utf8')
    const [one, other] = [storeIn(folder).store, storeIn(folder).store]
    await one.open()
    await one.close()
    await other.createTable('contoso', 'people')
    await other.close()
    const kept = await file()
    await one.close()
    expect(await file()).toBe(kept)
  })

  it('closes while an opening fails', async () => {
    const { store } = storeIn(import.meta.filename)
    const opening = store.open()
    await Promise.all([
      expect(opening).rejects.toMatchObject({ code: 'InvalidStoreFolder' }),
      store.close(),
    ])
  })

  it('stays closed, whether it was open or not', async () => {
    const { store } = storeIn(await temporaryFolder())
    await store.close()
    await expect(store.open()).rejects.toMatchObject({ code: 'StoreClosed' })
  })

  it('shows what the log has of writes that failed, as it does after a restart', async () => {
    const folder = await temporaryFolder()
    const policies = [{ id: 'p', start: undefined, expiry: undefined, permissions: 'r' }]
    const shown = async (store: DurableStore) => [
      await store.tableNames('contoso'),
      await (await tableOf(store, 'kept')).policies(),
      (await store.properties('contoso')).cors,
    ]
    const cors = [
      {
        allowedOrigins: ['*'],
        allowedMethods: ['GET'],
        allowedHeaders: [],
        exposedHeaders: [],
        maxAge: 1,
      },
    ]
    const before = await look(folder, async (store) => {
      for (const name of ['kept', 'dropped']) await store.createTable('contoso', name)
      const kept = await tableOf(store, 'kept')
      const writes = [
        () => store.createTable('contoso', 'made'),
        () => store.dropTable('contoso', 'dropped'),
        () => kept.setPolicies(policies),
        () => store.setProperties('contoso', { cors }),
      ]
      for (const write of writes) {
        failNextSync()
        await expect(write()).rejects.toThrow('IO error: sync')
        await kept.change([keyOf('p', 'r')], () => [rowAt(keyOf('p', 'r'))])
      }
      return shown(store)
    })
    expect(before).toEqual([['kept', 'made'], policies, cors])
    expect(await look(folder, shown)).toEqual(before)
  })

  it('keeps the policies of a table whose write opens the engine again', async () => {
    await look(await temporaryFolder(), async (store) => {
      await store.createTable('contoso', 'people')
      const people = await tableOf(store)
      failNextSync()
      await expect(people.setPolicies([])).rejects.toThrow('IO error: sync')
      const policies = [{ id: 'p', start: undefined, expiry: undefined, permissions: 'r' }]
      await people.setPolicies(policies)
      expect(await (await tableOf(store)).policies()).toEqual(policies)
    })
  })
})
