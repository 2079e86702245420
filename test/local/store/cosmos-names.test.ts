import { describe, expect, it } from 'vitest'
import { DurableStore } from '../../../packages/local/src/durable/durable-store.ts'
import { MemoryStore } from '../../../packages/local/src/store/memory-store.ts'
import { StoreSnapshot } from '../../../packages/local/src/testing/controls.ts'
import { temporaryFolder } from '../../support/local-folder.ts'

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
