import { DateTimeValue } from '@rowkey/odata'
import { expect, it } from 'vitest'
import type { StoredEntity } from '../../../packages/local/src/entity/stored-entity.ts'
import { EVERYTHING } from '../../../packages/local/src/keys/key-range.ts'
import {
  ReplicationQueue,
  recordingStore,
} from '../../../packages/local/src/replication/replication.ts'
import { NEW_SERVICE } from '../../../packages/local/src/service-properties/service-properties.ts'
import { MemoryStore } from '../../../packages/local/src/store/memory-store.ts'
import { storedRow } from '../../support/stored-row.ts'

const row = storedRow({ partitionKey: 'a', rowKey: 'b' }, new DateTimeValue(0, 0), new Map())

it('a recording store forwards everything, and each write can be repeated', async () => {
  const [below, copy] = [new MemoryStore(), new MemoryStore()]
  const queue = new ReplicationQueue(() => 0, 0)
  const store = recordingStore(below, queue)
  expect(await store.createTable('contoso', 'People')).toBe(true)
  expect(await store.createTable('contoso', 'people')).toBe(false)
  await store.createTable('contoso', 'places')
  expect(await store.dropTable('contoso', 'Places')).toBe(true)
  expect(await store.dropTable('contoso', 'places')).toBe(false)
  const table = (await store.findTable('contoso', 'people')) ?? expect.fail('it was created')
  expect(await table.change([row], () => [row])).toEqual([row])
  await table.setPolicies([
    { id: 'readers', start: undefined, expiry: undefined, permissions: 'r' },
  ])
  const minuteMetrics = { ...NEW_SERVICE.minuteMetrics, enabled: true }
  await store.setProperties('contoso', { minuteMetrics })

  const kept = new Map([['contoso/places', 5]])
  await store.setKeptNames(kept)
  expect(await below.keptNames()).toEqual(kept)
  expect(await store.keptNames()).toEqual(kept)

  for (const apply of queue.takeDue()) await apply(copy)
  for (const one of [store, below, copy]) {
    expect(await one.tableNames('contoso')).toEqual(['People'])
    expect(await one.properties('contoso')).toEqual({ ...NEW_SERVICE, minuteMetrics })
    const found = await one.findTable('contoso', 'people')
    expect(found?.name).toBe('People')
    expect(await found?.get(row)).toBe(row)
    expect((await found?.policies())?.length).toBe(1)
    const seen: StoredEntity[] = []
    await found?.scan(EVERYTHING, (each) => seen.push(each) > 0)
    expect(seen).toEqual([row])
  }
  await store.close()
  expect(await below.tableNames('contoso')).toEqual([])
})

it('a write to a table that is deleted in the meantime is dropped', async () => {
  const queue = new ReplicationQueue(() => 0, 0)
  const store = recordingStore(new MemoryStore(), queue)
  await store.createTable('contoso', 'people')
  queue.clear()
  await (await store.findTable('contoso', 'people'))?.change([row], () => [row])
  for (const apply of queue.takeDue()) {
    await expect(apply(new MemoryStore())).resolves.toBeUndefined()
  }
})
