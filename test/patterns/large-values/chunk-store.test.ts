import type { RawEntity } from '@rowkey/odata'
import { chunkStore } from '@rowkey/patterns'
import { describe, expect, it } from 'vitest'
import { office } from '../employees.ts'
import { addressesOf, bytesOf, chunks } from './opened-stores.ts'

describe('chunkStore', () => {
  it('R-157: an incomplete value does not exist, but is listed so that it can be deleted', async () => {
    const { account } = office()
    const rows = account.table('values')
    await rows.create()
    const store = chunkStore(account, { table: 'values' })
    await store.put('t/p/r/photo/1', bytesOf(2_000_000))
    await rows.delete(['t=2Fp=2Fr=2Fphoto=2F1', 'end'], { etag: '*' })
    expect(await store.get('t/p/r/photo/1')).toBeUndefined()
    expect(await store.has('t/p/r/photo/1')).toBe(false)
    expect(await addressesOf(store, 't/')).toEqual(['t/p/r/photo/1'])
    await store.delete('t/p/r/photo/1')
    expect(await rows.query().allowTableScan().count()).toBe(0)
  })

  it('lists a deleted value whose row has arrived late', async () => {
    const { account } = office()
    const rows = account.table('values')
    await rows.create()
    const store = chunkStore(account, { table: 'values' })
    await rows.insert({ partitionKey: 't=2Fp=2Fr=2Fphoto=2F1', rowKey: '00002' })
    expect(await addressesOf(store, 't/')).toEqual(['t/p/r/photo/1'])
    await store.delete('t/p/r/photo/1')
    expect(await rows.query().allowTableScan().count()).toBe(0)
  })

  it.each(['storage', 'cosmos'] as const)(
    'lists a value of many rows once, on %s',
    async (flavour) => {
      const { account } = office(flavour)
      await account.createTable('values')
      const store = chunkStore(account, { table: 'values' })
      const addresses = ['t/p/r/photo/1', 't/p/r/photo/2']
      for (const address of addresses) await store.put(address, bytesOf(2_000_000))
      expect((await addressesOf(store, 't/')).toSorted()).toEqual(addresses)
    },
  )

  it('asks the service for the values of one beginning only', async () => {
    const { account, sent } = office()
    await account.createTable('values')
    const store = chunkStore(account, { table: 'values' })
    for (const address of ['t/p/1', 't/p é;/1', 't/q/1']) await store.put(address, bytesOf(3))
    sent.length = 0
    expect(await addressesOf(store, 't/p')).toEqual(['t/p é;/1', 't/p/1'])
    expect(await addressesOf(store, 't/p é')).toEqual(['t/p é;/1'])
    expect(await addressesOf(store, '')).toHaveLength(3)
    const filters = sent.map(({ query }) => new URLSearchParams(query).get('$filter'))
    expect(filters).toEqual([
      "PartitionKey ge 't=2Fp' and PartitionKey lt 't=2Fq'",
      "PartitionKey ge 't=2Fp=20=C3=A9' and PartitionKey lt 't=2Fp=20=C3=A:'",
      "PartitionKey ge ''",
    ])
  })

  it('lists a value once when Cosmos DB returns its rows between those of another', async () => {
    const opened = office('cosmos')
    const mixed = opened.over((service) => async (request, limits) => {
      const response = await service(request, limits)
      if (request.method !== 'GET') return response
      const { value, ...rest } = JSON.parse(response.body)
      value.sort((one: RawEntity, other: RawEntity) =>
        `${one.RowKey}` < `${other.RowKey}` ? -1 : 1,
      )
      return { ...response, body: JSON.stringify({ ...rest, value }) }
    })
    await opened.account.createTable('values')
    const store = chunkStore(mixed, { table: 'values' })
    const addresses = ['t/p/r/photo/1', 't/p/r/photo/2']
    for (const address of addresses) await store.put(address, bytesOf(2_000_000))
    expect(await addressesOf(store, 't/')).toEqual(addresses)
  })

  it('leaves rows of other programs out of lists', async () => {
    const { account } = office()
    const rows = account.table('values')
    await rows.create()
    await rows.insert({ partitionKey: '=zz', rowKey: '00000' })
    const store = chunkStore(account, { table: 'values' })
    await store.put('t/p/r/photo/1', bytesOf(1))
    expect(await addressesOf(store, 't/')).toEqual(['t/p/r/photo/1'])
  })

  it('rejects an address that no key can hold', async () => {
    const store = await chunks()
    await expect(store.put('t/'.repeat(200), bytesOf(1))).rejects.toMatchObject({
      code: 'InvalidPatternOption',
    })
  })
})
