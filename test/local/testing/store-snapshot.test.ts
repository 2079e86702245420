import { InputError } from '@rowkey/odata'
import { expect, it } from 'vitest'
import { MemoryStore } from '../../../packages/local/src/store/memory-store.ts'
import { checkSnapshot, StoreSnapshot } from '../../../packages/local/src/testing/controls.ts'

it('a snapshot can be restored again and again', async () => {
  const store = new MemoryStore()
  await store.createTable('contoso', 'people')
  const snapshot = await StoreSnapshot.take(store, ['contoso'])
  for (const table of ['places', 'orders']) {
    await store.createTable('contoso', table)
    await store.dropTable('contoso', 'people')
    await snapshot.restore(store)
    expect(await store.tableNames('contoso')).toEqual(['people'])
  }
})

it.each([undefined, null, {}, 'snapshot', { accounts: ['contoso'] }])(
  'checkSnapshot rejects %o',
  (given) => {
    expect(() => checkSnapshot(given, ['contoso'])).toThrow(InputError)
  },
)

it('checkSnapshot rejects the snapshot of a service with other accounts', async () => {
  const snapshot = await StoreSnapshot.take(new MemoryStore(), ['contoso'])
  expect(() => checkSnapshot(snapshot, ['fabrikam'])).toThrow(/fabrikam/)
  expect(checkSnapshot(snapshot, ['contoso'])).toBe(snapshot)
})
