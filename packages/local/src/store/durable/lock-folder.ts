import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { StoreError } from '../../errors/store-error.ts'
import { makeFolder } from './make-folder.ts'
import { storeErrorOf } from './store-error-of.ts'
import { LOCK, OWNER_ONLY } from './store-file.ts'

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
    return await openLock(path).catch(async (error) => {
      if (!isCorrupted(storeErrorOf(error, folder))) throw error
      // The machine went down while the files of the lock were written: there is nothing to lose.
      await rm(path, { recursive: true, force: true })
      return openLock(path)
    })
  } catch (error) {
    throw storeErrorOf(error, folder)
  }
}

async function openLock(path: string): Promise<() => Promise<void>> {
  const { ClassicLevel } = await import('classic-level')
  await makeFolder(path, OWNER_ONLY.folder)
  const lock = new ClassicLevel(path, { cacheSize: 0 })
  await lock.open()
  return () => lock.close()
}

function isCorrupted(error: Error): boolean {
  return error instanceof StoreError && error.code === 'StoreCorrupted'
}
