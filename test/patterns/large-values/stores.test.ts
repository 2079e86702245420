import type { RawEntity } from '@rowkey/odata'
import { blobStore, chunkStore, declareLargeValues, type LargeValueStore } from '@rowkey/patterns'
import { AbortError, type CallOptions } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { defineEmployee, jones, office } from '../employees.ts'
import { blobContainer } from './blob-container.ts'

async function chunks(): Promise<LargeValueStore> {
  const { account } = office()
  await account.createTable('values')
  return chunkStore(account, { table: 'values' })
}
const kinds: readonly (readonly [string, () => Promise<LargeValueStore>])[] = [
  ['blobStore', async () => blobStore(blobContainer(Date.now))],
  ['chunkStore', chunks],
]

/** Bytes that differ from place to place. */
function bytesOf(length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  for (let at = 0; at < length; at++) bytes[at] = (at * 31) % 251
  return bytes
}

async function addressesOf(store: LargeValueStore, beginning: string): Promise<string[]> {
  const found: string[] = []
  for await (const { address } of store.list(beginning)) found.push(address)
  return found.sort()
}

describe.each(kinds)('%s', (_, open) => {
  it.each([0, 1, 65_536, 983_040, 1_000_001])(
    'R-157: returns %i bytes as they are',
    async (length) => {
      const store = await open()
      await store.put('staff/Sales/223/photo/1', bytesOf(length))
      expect(await store.has('staff/Sales/223/photo/1')).toBe(true)
      const read = await store.get('staff/Sales/223/photo/1')
      expect(read?.length).toBe(length)
      expect(Buffer.compare(read ?? new Uint8Array(1), bytesOf(length))).toBe(0)
    },
  )

  it('takes addresses with any keys, and lists them by their beginning', async () => {
    const store = await open()
    const odd = 'staff/%C3%84%20b!*()~/e=f..%25/photo/1'
    await store.put(odd, bytesOf(3))
    await store.put(`staff/${'k'.repeat(240)}/x/photo/2`, bytesOf(3))
    await store.put('other/Sales/223/photo/3', bytesOf(3))
    expect(await addressesOf(store, 'staff/')).toEqual(
      [odd, `staff/${'k'.repeat(240)}/x/photo/2`].sort(),
    )
    expect(await store.get(odd)).toHaveLength(3)
  })

  it('rejects a second value of an address, and keeps the first', async () => {
    const store = await open()
    await store.put('t/p/r/photo/1', bytesOf(3))
    await expect(store.put('t/p/r/photo/1', bytesOf(4))).rejects.toThrow()
    expect(await store.get('t/p/r/photo/1')).toHaveLength(3)
  })

  it.each([undefined, null, 7, 'text', {}, []])('stores nothing for %j', async (value) => {
    const store = await open()
    await expect(store.put('t/p/r/photo/1', value as never)).rejects.toThrow(
      /A large value must be a Uint8Array/,
    )
    expect(await addressesOf(store, '')).toEqual([])
  })

  it('has nothing of a missing or deleted value', async () => {
    const store = await open()
    expect(await addressesOf(store, '')).toEqual([])
    await store.put('t/p/r/photo/1', bytesOf(2_000_000))
    await store.delete('t/p/r/photo/1')
    await store.delete('t/p/r/photo/1')
    expect(await store.get('t/p/r/photo/1')).toBeUndefined()
    expect(await store.has('t/p/r/photo/1')).toBe(false)
    expect(await addressesOf(store, '')).toEqual([])
  })
})

it('blobStore does not take a missing container for a missing value', async () => {
  const failure = Object.assign(new Error('no container'), {
    statusCode: 404,
    code: 'ContainerNotFound',
  })
  const container = blobContainer(Date.now)
  const store = blobStore({
    ...container,
    getBlockBlobClient: (name) => ({
      ...container.getBlockBlobClient(name),
      downloadToBuffer: () => Promise.reject(failure),
    }),
  })
  await expect(store.get('t/p/r/photo/1')).rejects.toBe(failure)
})

/** Waits for the signal of a call, and fails then as the platform does. */
const untilAborted = (signal: AbortSignal | undefined, onWait: () => void): Promise<never> =>
  new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason))
    onWait()
  })

/** Stores whose calls get no response, and say when they wait for one. */
const hanging: Readonly<Record<string, (onWait: () => void) => LargeValueStore>> = {
  blobStore: (onWait) => {
    const wait = (options?: { abortSignal?: AbortSignal | undefined }) =>
      untilAborted(options?.abortSignal, onWait)
    const container = blobContainer(Date.now)
    return blobStore({
      getBlockBlobClient: () => ({
        uploadData: (_, options) => wait(options),
        downloadToBuffer: (_, __, options) => wait(options),
        exists: wait,
        deleteIfExists: wait,
      }),
      listBlobsFlat: (options) => {
        options?.abortSignal?.throwIfAborted()
        return container.listBlobsFlat(options)
      },
    })
  },
}

describe.each(Object.entries(hanging))('the calls of a %s', (_, open) => {
  it('end with their signal', async () => {
    const { account } = office()
    const Row = defineEmployee()
    let stop = new AbortController()
    const store = () => open(() => stop.abort())
    const values = declareLargeValues(Row, { property: 'email', store }).on(account)
    const rows = account.table(Row)
    await rows.create()
    const row = await rows.insert({ ...jones, email: undefined })
    for (const call of [
      (options: CallOptions) => values.save(row, bytesOf(1), options),
      (options: CallOptions) => values.load({ ...row, email: 'a' }, options),
    ]) {
      stop = new AbortController()
      await expect(call({ signal: stop.signal })).rejects.toThrow(AbortError)
    }
    expect(row.email).toBeUndefined()
  })
})

describe('blobStore', () => {
  it('takes a value for stored when the client has lost the response, and repeats its request', async () => {
    const container = blobContainer(Date.now)
    const store = blobStore({
      ...container,
      getBlockBlobClient(name) {
        const blob = container.getBlockBlobClient(name)
        const uploadData: typeof blob.uploadData = async (bytes, options) => {
          await blob.uploadData(bytes, options)
          return blob.uploadData(bytes, options)
        }
        return { ...blob, uploadData }
      },
    })
    await store.put('t/p/r/photo/1', bytesOf(3))
    expect(await store.get('t/p/r/photo/1')).toEqual(bytesOf(3))
  })
})

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
