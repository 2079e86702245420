import { checkArgument } from '../errors/check-argument.ts'
import { invalidPatternOption } from '../errors/codes.ts'
import { aThingWith, someBytes } from '../errors/rules.ts'
import type { LargeValueStore } from './large-value-store.ts'

/** The part of a `BlockBlobClient` of @azure/storage-blob that {@link blobStore} calls. */
export interface BlobClient {
  /** Stores the whole content. */
  uploadData(
    bytes: Uint8Array,
    options?: { abortSignal?: AbortSignal | undefined; conditions?: { ifNoneMatch?: string } },
  ): Promise<unknown>
  /** Reads the whole content, from 0 and without a count. */
  downloadToBuffer(
    from?: number,
    count?: number,
    options?: { abortSignal?: AbortSignal | undefined },
  ): Promise<Uint8Array>
  /** Tells whether the blob exists. */
  exists(options?: { abortSignal?: AbortSignal | undefined }): Promise<boolean>
  /** Deletes the blob. */
  deleteIfExists(options?: { abortSignal?: AbortSignal | undefined }): Promise<unknown>
}

/** The part of a `ContainerClient` of @azure/storage-blob that {@link blobStore} calls. */
export interface BlobContainerClient {
  /** Returns the client of one blob. */
  getBlockBlobClient(name: string): BlobClient
  /** Lists the blobs whose names begin with a text. */
  listBlobsFlat(options?: {
    abortSignal?: AbortSignal | undefined
    prefix?: string
  }): AsyncIterable<{
    /** Its name. */
    readonly name: string
    /** The properties that the service lists. */
    readonly properties: {
      /** When the blob was stored, UTC. */
      readonly lastModified: Date
    }
  }>
}

/** The most characters of the name of a blob. */
const LONGEST_NAME = 1_024

const aContainer = aThingWith(
  'a ContainerClient of @azure/storage-blob',
  'getBlockBlobClient',
  'listBlobsFlat',
)

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
  checkArgument(aContainer, container, 'blobStore')
  const blobAt = (address: string): BlobClient => container.getBlockBlobClient(address)
  const get: LargeValueStore['get'] = async (address, { signal: abortSignal } = {}) => {
    try {
      return await blobAt(address).downloadToBuffer(0, undefined, { abortSignal })
    } catch (error) {
      const { statusCode, code } = failureOf(error)
      if (statusCode === 404 && code !== 'ContainerNotFound') return undefined
      throw error
    }
  }
  return {
    async put(address, bytes, options = {}) {
      checkArgument(someBytes, bytes, 'A large value')
      if (address.length > LONGEST_NAME) throw longAddress(address)
      const { signal: abortSignal } = options
      try {
        const conditions = { ifNoneMatch: '*' }
        await blobAt(address).uploadData(bytes, { conditions, abortSignal })
      } catch (error) {
        // After a lost response the client repeats its request, and finds what the first one stored.
        if (failureOf(error).statusCode !== 409 || !isSame(await get(address, options), bytes))
          throw error
      }
    },
    get,
    async has(address, { signal: abortSignal } = {}) {
      return blobAt(address).exists({ abortSignal })
    },
    async delete(address, { signal: abortSignal } = {}) {
      await blobAt(address).deleteIfExists({ abortSignal })
    },
    async *list(prefix, { signal: abortSignal } = {}) {
      for await (const { name, properties } of container.listBlobsFlat({ prefix, abortSignal })) {
        yield { address: name, storedAt: properties.lastModified }
      }
    },
  }
}

function failureOf(error: unknown): { readonly statusCode?: unknown; readonly code?: unknown } {
  return Object(error)
}

function isSame(stored: Uint8Array | undefined, bytes: Uint8Array): boolean {
  return stored?.length === bytes.length && bytes.every((byte, at) => byte === stored[at])
}

function longAddress(address: string): Error {
  return invalidPatternOption(
    `The name of a blob has at most ${LONGEST_NAME} characters, and the address of this value has ${address.length}. Use shorter keys, or another store.`,
  )
}
