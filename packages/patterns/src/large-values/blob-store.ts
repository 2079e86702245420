import { checkMethods } from '../errors/check-arguments.ts'
import { invalidPatternOption } from '../errors/codes.ts'
import type { LargeValueStore } from './large-value-store.ts'

/** The part of a `BlockBlobClient` of @azure/storage-blob that {@link blobStore} calls. */
export interface BlobClient {
  /** Stores the whole content. */
  uploadData(
    bytes: Uint8Array,
    options?: { conditions?: { ifNoneMatch?: string } },
  ): Promise<unknown>
  /** Reads the whole content. */
  downloadToBuffer(): Promise<Uint8Array>
  /** Tells whether the blob exists. */
  exists(): Promise<boolean>
  /** Deletes the blob. */
  deleteIfExists(): Promise<unknown>
}

/** A blob as a `ContainerClient` lists it. */
export interface BlobListItem {
  /** Its name. */
  readonly name: string
  /** The properties that the service lists. */
  readonly properties: {
    /** When the blob was stored, UTC. */
    readonly lastModified: Date
  }
}

/** The part of a `ContainerClient` of @azure/storage-blob that {@link blobStore} calls. */
export interface BlobContainerClient {
  /** Returns the client of one blob. */
  getBlockBlobClient(name: string): BlobClient
  /** Lists the blobs whose names begin with a text. */
  listBlobsFlat(options?: { prefix?: string }): AsyncIterable<BlobListItem>
}

/** The most characters of the name of a blob. */
const LONGEST_NAME = 1_024

/**
 * Keeps values as blobs of a container, by the client of @azure/storage-blob. The address is the name of the blob.
 *
 * @param container - the client of an existing container
 *
 * @example
 * ```ts
 * const store = blobStore(new ContainerClient(connectionString, 'photos'))
 * ```
 */
export function blobStore(container: BlobContainerClient): LargeValueStore {
  const methods = ['getBlockBlobClient', 'listBlobsFlat']
  checkMethods(container, 'blobStore', 'a ContainerClient of @azure/storage-blob', methods)
  const blobAt = (address: string): BlobClient => container.getBlockBlobClient(address)
  return {
    async put(address, bytes) {
      if (address.length > LONGEST_NAME) throw longAddress(address)
      await blobAt(address).uploadData(bytes, { conditions: { ifNoneMatch: '*' } })
    },
    async get(address) {
      try {
        return await blobAt(address).downloadToBuffer()
      } catch (error) {
        const { statusCode }: { readonly statusCode?: unknown } = Object(error)
        if (statusCode === 404) return undefined
        throw error
      }
    },
    async has(address) {
      return blobAt(address).exists()
    },
    async delete(address) {
      await blobAt(address).deleteIfExists()
    },
    async *list(beginning) {
      for await (const { name, properties } of container.listBlobsFlat({ prefix: beginning })) {
        yield { address: name, storedAt: properties.lastModified }
      }
    },
  }
}

function longAddress(address: string): Error {
  return invalidPatternOption(
    `The name of a blob has at most ${LONGEST_NAME} characters, and the address of this value has ${address.length}. Use shorter keys, or another store.`,
  )
}
