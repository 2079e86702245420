import { blobStore, declareLargeValues, type LargeValueStore } from '@rowkey/patterns'
import { AbortError, type CallOptions } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { defineEmployee, jones, office } from '../employees.ts'
import { blobContainer } from './blob-container.ts'
import { addressesOf, bytesOf, chunks } from './opened-stores.ts'

const kinds: readonly (readonly [string, () => Promise<LargeValueStore>])[] = [
  ['blobStore', async () => blobStore(blobContainer(Date.now))],
  ['chunkStore', chunks],
]

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
