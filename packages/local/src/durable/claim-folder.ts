import { mkdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { invalidStoreFolder, lockedStore, StoreError } from '../errors/store-error.ts'
import { loadEngine } from './engine.ts'
import { storeErrorOf } from './engine-error.ts'
import { LOCK, OWNER_ONLY, readFolder } from './store-file.ts'

/** Shared by all copies of this module in one process, such as one for import and one for require. */
const CLAIMED = Symbol.for('@rowkey/local: folders that are open')

const claimed: Set<string> = claimedFolders()

/**
 * Takes a folder for one store, and makes it when there is none.
 *
 * The folder is locked, which keeps everybody else out. But when the process that has a lock only
 * tries to lock the folder once more, the system lets go of the lock: the engine closes a second
 * descriptor of its lock file, and POSIX drops all of a process's locks on a file with the first
 * descriptor that is closed. So in one thread nobody may as much as try. Another thread may: it
 * tries for the lock alone, and the engine's own stays.
 *
 * @returns gives the folder back
 * @throws StoreError StoreLocked when another store has it
 * @throws StoreError InvalidStoreFolder when it cannot be a store's folder; nothing in it has changed then
 */
export async function claimFolder(folder: string): Promise<() => Promise<void>> {
  // First, so that no folder is made when it is missing.
  await loadEngine(folder)
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

/** The same for every path that leads to the folder. */
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
 * Locks a folder before anything in it is looked at, against other processes and other threads.
 *
 * The engine locks its files only while it opens them, and what is to be checked before that would
 * change under the eyes of whoever comes second. So there is a second engine, beside the first,
 * which holds nothing and is only opened: the system itself lets go of its lock when the process ends,
 * however it ends.
 *
 * @returns lets go of the lock
 * @throws StoreError StoreLocked when another one has it
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const path = join(folder, LOCK)
  try {
    return await openLock(folder, path).catch(async (error) => {
      if (!isCorrupted(storeErrorOf(error, folder))) throw error
      // The machine went down while the files of the lock were written: there is nothing to lose.
      await rm(path, { recursive: true, force: true })
      return openLock(folder, path)
    })
  } catch (error) {
    throw storeErrorOf(error, folder)
  }
}

async function openLock(folder: string, path: string): Promise<() => Promise<void>> {
  const ClassicLevel = await loadEngine(folder)
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
 * The system's own way to make several at once never ends where a folder above is there and yet no
 * folder can be made in it, as in `/proc`: it goes up and down again for ever.
 *
 * @param mode - the permissions of the folder itself if it is made; by the umask when absent
 * @throws StoreError InvalidStoreFolder when there can be no such folder
 */
export async function makeFolder(folder: string, mode?: number): Promise<void> {
  if (await isMade(folder, mode)) return
  const above = dirname(folder)
  if (above !== folder) {
    await makeFolder(above)
    if (await isMade(folder, mode)) return
  }
  const found = 'no folder can be made there. Give another path'
  throw invalidStoreFolder(folder, found)
}

/** Makes a folder unless it is there; false when a folder above it is missing, or the system says so. */
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
