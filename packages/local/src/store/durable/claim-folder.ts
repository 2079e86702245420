import { mkdir, stat } from 'node:fs/promises'
import { StoreLockedError } from '../../errors/store-locked-error.ts'
import { storeErrorOf } from './store-error-of.ts'

/** Shared by all copies of this module in one process, such as one for import and one for require. */
const CLAIMED = Symbol.for('@rowkey/local: folders that are open')

const claimed: Set<string> = claimedFolders()

/**
 * Takes a folder for one store of this process, and makes it when there is none.
 *
 * The engine locks its folder as well, which keeps other processes out. But when the process that
 * has the lock only tries to open the folder once more, the system lets go of the lock: the engine
 * closes a second descriptor of its lock file, and POSIX drops all of a process's locks on a file with
 * the first descriptor that is closed. So nobody here may as much as try.
 *
 * @returns gives the folder back
 * @throws StoreLockedError when a store of this process has it
 */
export async function claimFolder(folder: string): Promise<() => void> {
  const identity = await identityOf(folder)
  if (claimed.has(identity)) throw new StoreLockedError({ folder })
  claimed.add(identity)
  return () => claimed.delete(identity)
}

/** The same for every path that leads to the folder. */
async function identityOf(folder: string): Promise<string> {
  try {
    await mkdir(folder, { recursive: true })
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
