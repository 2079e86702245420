import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { invalidStoreFolder } from '../../errors/store-error.ts'

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
