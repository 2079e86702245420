import { DateTimeValue } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { EVERYTHING } from '../../../packages/local/src/keys/key-range.ts'
import { NEW_SERVICE } from '../../../packages/local/src/service-properties/service-properties.ts'
import { MemoryStore } from '../../../packages/local/src/store/memory-store.ts'
import { clearStore, copyStore } from '../../../packages/local/src/store/table-store.ts'
import { storedRow } from '../../support/stored-row.ts'

const rowOf = (rowKey: string) =>
  storedRow({ partitionKey: 'a', rowKey }, new DateTimeValue(0, 0), new Map())

async function storeWith(count: number): Promise<MemoryStore> {
  const store = new MemoryStore()
  await store.createTable('contoso', 'People')
  const table = await store.findTable('contoso', 'people')
  for (let at = 0; at < count; at += 1) {
    const row = rowOf(String(at).padStart(5, '0'))
    await table?.change([row], () => [row])
  }
  await table?.setPolicies([
    { id: 'readers', start: undefined, expiry: undefined, permissions: 'r' },
  ])
  await store.setProperties('contoso', { cors: [] })
  return store
}

async function rowKeysOf(store: MemoryStore): Promise<string[]> {
  const rowKeys: string[] = []
  const table = await store.findTable('contoso', 'people')
  await table?.scan(EVERYTHING, (row) => rowKeys.push(row.rowKey) > 0)
  return rowKeys
}

describe('copyStore', () => {
  it('replaces the content of one store by that of another', async () => {
    const [from, to] = [await storeWith(2500), await storeWith(3)]
    await to.createTable('contoso', 'stale')
    await copyStore(from, to, ['contoso'])
    expect(await to.tableNames('contoso')).toEqual(['People'])
    expect(await rowKeysOf(to)).toEqual(await rowKeysOf(from))
    expect(await rowKeysOf(to)).toHaveLength(2500)
    const table = await to.findTable('contoso', 'people')
    expect((await table?.policies())?.map(({ id }) => id)).toEqual(['readers'])
  })

  it('makes a copy that later writes do not reach', async () => {
    const [from, to] = [await storeWith(2), new MemoryStore()]
    await copyStore(from, to, ['contoso'])
    const row = rowOf('00000')
    await (await from.findTable('contoso', 'people'))?.change([row], () => [undefined])
    expect(await rowKeysOf(to)).toHaveLength(2)
    expect(await rowKeysOf(from)).toHaveLength(1)
  })
})

describe('clearStore', () => {
  it('drops all tables and resets all properties', async () => {
    const store = await storeWith(2)
    await store.setProperties('contoso', {
      hourMetrics: { ...NEW_SERVICE.hourMetrics, enabled: true },
    })
    await clearStore(store, ['contoso'])
    expect(await store.tableNames('contoso')).toEqual([])
    expect(await store.properties('contoso')).toEqual(NEW_SERVICE)
  })
})
