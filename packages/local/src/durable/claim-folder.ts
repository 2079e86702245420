import { mkdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { invalidStoreFolder, lockedStore, StoreError } from '../errors/store-error.ts'
import { loadEngine } from './engine.ts'
import { storeErrorOf } from './engine-error.ts'
import { LOCK, OWNER_ONLY, readFolder } from './store-file.ts'

/** Shared by all copies of this module in a process, such as one for import and one for require. */
const CLAIMED = Symbol.for('@rowkey/local: folders that are open')

const claimed: Set<string> = claimedFolders()

/**
 * Claims a folder for one store, and makes it when it does not exist.
 *
 * The lock keeps other processes out. But POSIX drops all locks of a process on a file when it
 * closes any descriptor of it, and the engine closes a second descriptor when it only tries to lock
 * again. So within a thread the second claim must fail before it touches the lock. Another thread
 * tries only the separate lock, and the engine's own stays.
 *
 * @returns releases the folder
 * @throws StoreError StoreLocked when another store uses the folder, StoreEngineMissing, or
 * InvalidStoreFolder, which changes nothing in it
 */
export async function claimFolder(folder: string): Promise<() => Promise<void>> {
  // First, so that no folder is made when the engine is missing.
  loadEngine(folder)
  const identity = await identityOf(folder)
  if (claimed.has(identity)) throw lockedStore(folder)
  claimed.add(identity)
  try {
    const unlock = await lockFolder(folder)
    return () => unlock().finally(() => claimed.delete(identity))
  } catch (error) {
    claimed.delete(identity)
    throw error
  }
}

/** Identifies a folder, whichever path leads to it. */
async function identityOf(folder: string): Promise<string> {
  try {
    await makeFolder(folder, OWNER_ONLY.folder)
    await readFolder(folder)
    const { dev, ino } = await stat(folder, { bigint: true })
    return `${dev}:${ino}`
  } catch (error) {
    throw storeErrorOf(error, folder)
  }
}

function claimedFolders(): Set<string> {
  const known: unknown = Reflect.get(globalThis, CLAIMED)
  if (known instanceof Set) return known
  const folders = new Set<string>()
  Reflect.set(globalThis, CLAIMED, folders)
  return folders
}

/**
 * Locks a folder against other processes and threads before anything in it is read.
 *
 * The engine locks its files only while it opens them, which is too late: the files are checked
 * before. So a second, empty engine beside the first holds the lock. The system releases it when
 * the process ends, however it ends.
 *
 * @returns releases the lock
 * @throws StoreError StoreLocked when another store has it
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const path = join(folder, LOCK)
  try {
    return await openLock(folder, path).catch(async (error) => {
      if (!isCorrupted(storeErrorOf(error, folder))) throw error
      // The machine stopped while it wrote the files of the lock, which contain no data.
      await rm(path, { recursive: true, force: true })
      return openLock(folder, path)
    })
  } catch (error) {
    throw storeErrorOf(error, folder)
  }
}

async function openLock(folder: string, path: string): Promise<() => Promise<void>> {
  const ClassicLevel = loadEngine(folder)
  await makeFolder(path, OWNER_ONLY.folder)
  const lock = new ClassicLevel(path, { cacheSize: 0 })
  await lock.open()
  return () => lock.close()
}

function isCorrupted(error: Error): boolean {
  return error instanceof StoreError && error.code === 'StoreCorrupted'
}

/**
 * Makes a folder and the folders above it unless they exist.
 *
 * The recursive option of `mkdir` loops forever where a folder exists and cannot contain new ones,
 * as in `/proc`.
 *
 * @param mode - the permissions of a new folder; by the umask when absent
 * @throws StoreError InvalidStoreFolder when the folder cannot be made
 */
export async function makeFolder(folder: string, mode?: number): Promise<void> {
  if (await isMade(folder, mode)) return
  const above = dirname(folder)
  if (above !== folder) {
    await makeFolder(above)
    if (await isMade(folder, mode)) return
  }
  const found = 'the folder cannot be made. Give another path'
  throw invalidStoreFolder(folder, found)
}

/** Makes a folder unless it exists; returns false when a folder above it is missing. */
async function isMade(folder: string, mode?: number): Promise<boolean> {
  try {
    await mkdir(folder, mode)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    if (await isFolder(folder)) return true
    throw error
  }
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  return found?.isDirectory() === true
}
