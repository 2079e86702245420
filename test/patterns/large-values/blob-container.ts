import type { BlobContainerClient } from '@rowkey/patterns'

/** Stands in for a `ContainerClient` of @azure/storage-blob, as its documentation describes it. */
export function blobContainer(now: () => number): BlobContainerClient {
  const blobs = new Map<string, { readonly bytes: Uint8Array; readonly lastModified: Date }>()
  const failure = (statusCode: number, code: string) =>
    Object.assign(new Error(code), { statusCode, code })
  return {
    getBlockBlobClient: (name) => ({
      async uploadData(bytes, { conditions } = {}) {
        if (conditions?.ifNoneMatch === '*' && blobs.has(name))
          throw failure(409, 'BlobAlreadyExists')
        blobs.set(name, { bytes: bytes.slice(), lastModified: new Date(now()) })
      },
      async downloadToBuffer() {
        const blob = blobs.get(name)
        if (blob === undefined) throw failure(404, 'BlobNotFound')
        return blob.bytes.slice()
      },
      exists: async () => blobs.has(name),
      deleteIfExists: async () => ({ succeeded: blobs.delete(name) }),
    }),
    async *listBlobsFlat({ prefix = '' } = {}) {
      for (const [name, { lastModified }] of blobs) {
        if (name.startsWith(prefix)) yield { name, properties: { lastModified } }
      }
    },
  }
}
