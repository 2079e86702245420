import { DateTimeValue, type EntityKey } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { DurableStore } from '../../../packages/local/src/durable/durable-store.ts'
import { EVERYTHING, printStoreKey } from '../../../packages/local/src/keys/key-range.ts'
import { NEW_SERVICE } from '../../../packages/local/src/service-properties/service-properties.ts'
import { BTree, compareText, MemoryStore } from '../../../packages/local/src/store/memory-store.ts'
import type { StoredTable } from '../../../packages/local/src/store/table-store.ts'
import { StoreSnapshot } from '../../../packages/local/src/testing/controls.ts'
import { temporaryFolder } from '../../support/local-folder.ts'
import { storedRow } from '../../support/stored-row.ts'

const keyOf = (partitionKey: string, rowKey: string): EntityKey => ({ partitionKey, rowKey })
const rowAt = (key: EntityKey) => storedRow(key, new DateTimeValue(0), new Map())

async function tableWith(...keys: EntityKey[]): Promise<StoredTable> {
  const store = new MemoryStore()
  await store.createTable('contoso', 'people')
  const table = (await store.findTable('contoso', 'people')) as StoredTable
  await table.change(keys, () => keys.map(rowAt))
  return table
}

describe('MemoryStore', () => {
  it('R-01: keeps the case of a table name, and finds it in any', async () => {
    const store = new MemoryStore()
    expect(await store.createTable('contoso', 'People')).toBe(true)
    expect(await store.createTable('contoso', 'PEOPLE')).toBe(false)
    expect((await store.findTable('contoso', 'people'))?.name).toBe('People')
    expect(await store.findTable('fabrikam', 'People')).toBeUndefined()
    expect(await store.tableNames('contoso')).toEqual(['People'])
  })

  it('lists tables by their names in lower case', async () => {
    const store = new MemoryStore()
    for (const name of ['beta', 'Alpha', 'Gamma', 'alpha2'])
      await store.createTable('contoso', name)
    expect(await store.tableNames('contoso')).toEqual(['Alpha', 'alpha2', 'beta', 'Gamma'])
  })

  it('R-25: drops a table with all its rows', async () => {
    const store = new MemoryStore()
    await store.createTable('contoso', 'people')
    const table = await store.findTable('contoso', 'people')
    await table?.change([keyOf('p', 'r')], () => [rowAt(keyOf('p', 'r'))])
    expect(await store.dropTable('contoso', 'PEOPLE')).toBe(true)
    expect(await store.dropTable('contoso', 'people')).toBe(false)
    await store.createTable('contoso', 'people')
    const again = await store.findTable('contoso', 'people')
    expect(await again?.get(keyOf('p', 'r'))).toBeUndefined()
  })

  it('keeps the latest reserved names', async () => {
    const store = new MemoryStore()
    expect(await store.keptNames()).toEqual(new Map())
    await store.setKeptNames(new Map([['contoso/people', 5]]))
    expect(await store.keptNames()).toEqual(new Map([['contoso/people', 5]]))
  })

  it('R-83: keeps the properties of each account, and changes only the given ones', async () => {
    const store = new MemoryStore()
    expect(await store.properties('contoso')).toBe(NEW_SERVICE)
    const logging = { ...NEW_SERVICE.logging, read: true }
    await store.setProperties('contoso', { logging })
    await store.setProperties('contoso', { cors: [] })
    expect(await store.properties('contoso')).toEqual({ ...NEW_SERVICE, logging })
    expect(await store.properties('fabrikam')).toBe(NEW_SERVICE)
    await store.close()
    expect(await store.properties('contoso')).toBe(NEW_SERVICE)
  })
})

describe('a table in memory', () => {
  it('R-74: keeps the latest policies', async () => {
    const table = await tableWith()
    expect(await table.policies()).toEqual([])
    const policy = { id: 'a', start: undefined, expiry: undefined, permissions: 'r' }
    await table.setPolicies([policy])
    expect(await table.policies()).toEqual([policy])
  })

  it('R-13: returns rows by PartitionKey and RowKey', async () => {
    const table = await tableWith(
      keyOf('b', ''),
      keyOf('a', 'b'),
      keyOf('a b', 'a'),
      keyOf('a', 'a'),
    )
    const seen: string[] = []
    await table.scan(EVERYTHING, (row) => seen.push(`${row.partitionKey}/${row.rowKey}`) > 0)
    expect(seen).toEqual(['a/a', 'a/b', 'a b/a', 'b/'])
  })

  it('visits no row outside a range, and none after the visitor ends the scan', async () => {
    const table = await tableWith(...['a', 'b', 'c', 'd', 'e'].map((text) => keyOf('p', text)))
    const seen: string[] = []
    const range = { low: printStoreKey('p', 'b'), high: printStoreKey('p', 'e') }
    await table.scan(range, (row) => seen.push(row.rowKey) < 2)
    expect(seen).toEqual(['b', 'c'])
    await table.scan({ ...range, low: range.high }, () => expect.fail('there is nothing to see'))
  })

  it('changes rows together, and deletes those without a next version', async () => {
    const table = await tableWith(keyOf('p', 'a'))
    const keys = [keyOf('p', 'a'), keyOf('p', 'b')]
    await table.change(keys, (rows) => {
      expect(rows.map((row) => row?.rowKey)).toEqual(['a', undefined])
      return [undefined, rowAt(keyOf('p', 'b'))]
    })
    expect(await table.get(keyOf('p', 'a'))).toBeUndefined()
    expect((await table.get(keyOf('p', 'b')))?.rowKey).toBe('b')
  })

  it('R-53: changes nothing when the decision throws', async () => {
    const table = await tableWith(keyOf('p', 'a'))
    const before = await table.get(keyOf('p', 'a'))
    await expect(
      table.change([keyOf('p', 'a'), keyOf('p', 'b')], () => {
        throw new RangeError('no')
      }),
    ).rejects.toThrow('no')
    expect(await table.get(keyOf('p', 'a'))).toBe(before)
    expect(await table.get(keyOf('p', 'b'))).toBeUndefined()
  })
})

describe('BTree', () => {
  it('keeps keys in the order of UTF-16 units', () => {
    const keys = ['b', '\uffff', 'a\u0000z', '😀', 'a', '']
    const tree = new BTree<string, number>(
      keys.map((key, at) => [key, at]),
      compareText,
    )
    expect([...tree.keys()]).toEqual(['', 'a', 'a\u0000z', 'b', '😀', '\uffff'])
  })
})

const durableStore = (folder: string) =>
  new DurableStore({ folder, flavour: 'cosmos', onOpen: () => undefined, report: expect.fail })

describe.each([
  ['memory', async () => new MemoryStore('cosmos')],
  ['a folder', async () => durableStore(await temporaryFolder())],
] as const)('the tables of Cosmos DB in %s', (_, open) => {
  it('R-177: stay apart when their names differ in case', async () => {
    const store = await open()
    expect(await store.createTable('a', 'People')).toBe(true)
    expect(await store.createTable('a', 'people')).toBe(true)
    expect(await store.createTable('a', 'People')).toBe(false)
    expect((await store.findTable('a', 'People'))?.name).toBe('People')
    expect(await store.findTable('a', 'PEOPLE')).toBeUndefined()
    expect([...(await store.tableNames('a'))].sort()).toEqual(['People', 'people'])
    expect(await store.dropTable('a', 'people')).toBe(true)
    expect(await store.tableNames('a')).toEqual(['People'])
    await store.close()
  })

  it('R-177: stay apart in a snapshot', async () => {
    const store = await open()
    await store.createTable('a', 'People')
    await store.createTable('a', 'people')
    const snapshot = await StoreSnapshot.take(store, ['a'], 'cosmos')
    await store.dropTable('a', 'people')
    await snapshot.restore(store)
    expect([...(await store.tableNames('a'))].sort()).toEqual(['People', 'people'])
    await store.close()
  })
})

it('R-177: a folder keeps names of any characters when it is opened again', async () => {
  const folder = await temporaryFolder()
  const names = ['People', 'people', 'Leute ü', '日本', '^a-b']
  const store = durableStore(folder)
  for (const name of names) await store.createTable('a', name)
  await store.close()
  const again = durableStore(folder)
  expect([...(await again.tableNames('a'))].sort()).toEqual([...names].sort())
  for (const name of names) expect((await again.findTable('a', name))?.name).toBe(name)
  await again.close()
})
