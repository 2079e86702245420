import { decodeHex, encodeHex } from '@rowkey/odata'
import { checkArgument } from '../errors/check-argument.ts'
import { aName, aThingWith, someBytes } from '../errors/rules.ts'
import type { LargeValueStore, StoredValue } from './large-value-store.ts'

/** Ends the read or the write of a file. */
export interface FileCallOptions {
  /** Its signal. */
  readonly signal?: AbortSignal | undefined
}

/** The part of `node:fs/promises` that {@link fileStore} calls. */
export interface FileFunctions {
  /** Creates folders. */
  mkdir(path: string, options: { recursive: true }): Promise<unknown>
  /** Creates a file, and returns when it is on the disk. */
  writeFile(
    path: string,
    bytes: Uint8Array,
    options: FileCallOptions & { flag: 'wx'; flush: true },
  ): Promise<void>
  /** Reads a file. */
  readFile(path: string, options?: FileCallOptions): Promise<Uint8Array>
  /** Returns when a file was written. */
  stat(path: string): Promise<{
    /** The time of the last write. */
    readonly mtime: Date
  }>
  /** Deletes a file. */
  rm(path: string, options: { force: true }): Promise<void>
  /** Lists a folder and the folders in it. */
  readdir(path: string, options: { recursive: true }): Promise<string[]>
}

/** The most characters of a file's name: most file systems take 255. */
const LONGEST_NAME = 200
/** The end of the last part of a path. Folders never have it. */
const ENDING = '.value'

const functions = aThingWith(
  'the functions of node:fs/promises',
  'mkdir',
  'writeFile',
  'readFile',
  'stat',
  'rm',
  'readdir',
)

/**
 * Keeps values as files of a folder. The names of the files are the addresses in hexadecimal, so that every key can be one on
 * every file system.
 *
 * @param folder - the path of the folder; it is created with the first value
 * @param files - the functions of `node:fs/promises`
 *
 * @example
 * ```ts
 * const store = fileStore('./photos', await import('node:fs/promises'))
 * ```
 */
export function fileStore(folder: string, files: FileFunctions): LargeValueStore {
  checkArgument(aName, folder, 'The folder of fileStore')
  checkArgument(functions, files, 'fileStore')
  const pathOf = (address: string): string => `${folder}/${printPath(address)}`
  return {
    async put(address, bytes, { signal } = {}) {
      signal?.throwIfAborted()
      checkArgument(someBytes, bytes, 'A large value')
      const path = pathOf(address)
      await files.mkdir(path.slice(0, path.lastIndexOf('/')), { recursive: true })
      await files.writeFile(path, bytes, { flag: 'wx', flush: true, signal })
    },
    async get(address, { signal } = {}) {
      return unlessMissing(files.readFile(pathOf(address), { signal }))
    },
    async has(address, { signal } = {}) {
      signal?.throwIfAborted()
      return (await unlessMissing(files.stat(pathOf(address)))) !== undefined
    },
    async delete(address, { signal } = {}) {
      signal?.throwIfAborted()
      await files.rm(pathOf(address), { force: true })
    },
    async *list(beginning, { signal } = {}) {
      for (const path of (await unlessMissing(files.readdir(folder, { recursive: true }))) ?? []) {
        const address = parsePath(path)
        if (address?.startsWith(beginning) !== true) continue
        signal?.throwIfAborted()
        const found = await unlessMissing(files.stat(pathOf(address)))
        if (found !== undefined) yield { address, storedAt: found.mtime } satisfies StoredValue
      }
    },
  }
}

function printPath(address: string): string {
  const hex = encodeHex(new TextEncoder().encode(address))
  const parts = hex.match(new RegExp(`.{1,${LONGEST_NAME}}`, 'g')) ?? ['']
  return `${parts.join('/')}${ENDING}`
}

/** Returns the address of a file; `undefined` for folders and files of other programs. */
function parsePath(path: string): string | undefined {
  if (!path.endsWith(ENDING)) return undefined
  const hex = path.slice(0, -ENDING.length).replace(/[/\\]/g, '')
  const bytes = decodeHex(hex)
  return bytes?.length ? new TextDecoder().decode(bytes) : undefined
}

/** Another program may delete a file at any time. */
async function unlessMissing<Result>(call: Promise<Result>): Promise<Result | undefined> {
  try {
    return await call
  } catch (error) {
    const { code }: { readonly code?: unknown } = Object(error)
    if (code === 'ENOENT') return undefined
    throw error
  }
}
