import { blobStore } from '@rowkey/patterns'
import { describe, expect, it } from 'vitest'
import { blobContainer } from './blob-container.ts'
import { bytesOf } from './opened-stores.ts'

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
