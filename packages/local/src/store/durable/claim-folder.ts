import { stat } from 'node:fs/promises'
import { lockedStore } from '../../errors/store-error.ts'
import { lockFolder } from './lock-folder.ts'
import { makeFolder } from './make-folder.ts'
import { storeErrorOf } from './store-error-of.ts'
import { OWNER_ONLY, readFolder } from './store-file.ts'

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
