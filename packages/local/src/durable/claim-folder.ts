import { closeSync, constants, openSync } from 'node:fs'
import { realpath, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { lockedStore } from '../errors/store-error.ts'
import { loadEngine } from './engine.ts'
import { storeErrorOf } from './engine-error.ts'
import { CLAIM, codeOf, LOCK, makeFolder, OWNER_ONLY, readFolder } from './store-folder.ts'

/** A folder that belongs to one store. */
export interface ClaimedFolder {
  /** The real path, whichever path led to it. A symlink that changes later changes nothing. */
  readonly path: string
  /** Gives the folder back. */
  release(): Promise<void>
}

/**
 * Claims a folder for one store, and makes it when it does not exist.
 *
 * The engine's own lock is not enough. It compares paths as text, and another copy of the engine does not
 * know what this one has open. POSIX locks never conflict within a process, and the process loses all its
 * locks on a file when any part of it closes that file. So a claim that all threads and copies see comes
 * first, and the engine's lock then keeps out processes that do not see it, such as those in another container.
 *
 * @throws StoreError StoreLocked when another store uses the folder, StoreEngineMissing, or
 * InvalidStoreFolder, which changes nothing in it
 */
export async function claimFolder(folder: string): Promise<ClaimedFolder> {
  // First, so that no folder is made when the engine is missing.
  loadEngine(folder)
  try {
    await makeFolder(folder, OWNER_ONLY.folder)
    const path = await realpath(folder)
    await readFolder(path)
    const giveUp = await claimInSystem(path)
    try {
      const unlock = await lockFolder(path)
      return { path, release: () => unlock().finally(giveUp) }
    } catch (error) {
      await giveUp()
      throw error
    }
  } catch (error) {
    throw storeErrorOf(error, folder)
  }
}

/** Gives up a claim. */
type GiveUp = () => Promise<void>

/**
 * Claims a folder by an object of the system that exists once, for all threads of all processes, and that the
 * system removes when its thread or process ends, however it ends.
 */
function claimInSystem(path: string): Promise<GiveUp> {
  const flag = EXCLUSIVE[process.platform]
  return flag === undefined ? claimName(path) : claimFile(path, flag)
}

/** The flag of `open` by which a file is open once, on the systems that have it. */
const EXCLUSIVE: { readonly [Platform in NodeJS.Platform]?: number } = {
  darwin: 0x20,
  freebsd: 0x20,
  netbsd: 0x20,
  openbsd: 0x20,
  // Node's own flag: no one else can open the file.
  win32: 0x1000_0000,
}

async function claimFile(path: string, exclusive: number): Promise<GiveUp> {
  // Windows has no O_NONBLOCK.
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK | exclusive
  try {
    const file = openSync(join(path, CLAIM), flags, OWNER_ONLY.file)
    return async () => closeSync(file)
  } catch (error) {
    const isTaken = /EAGAIN|EWOULDBLOCK|EBUSY/.test(codeOf(error))
    throw isTaken ? lockedStore(path, error) : error
  }
}

/** Linux lacks the flag, but has names of sockets that are not files. */
async function claimName(path: string): Promise<GiveUp> {
  // While it is open, no other folder gets the number of this one, even if this one is removed.
  const held = openSync(path, 'r')
  try {
    const { dev, ino } = await stat(path, { bigint: true })
    const close = await listenAt(`\0rowkey-store:${dev}:${ino}`)
    return () => close().finally(() => closeSync(held))
  } catch (error) {
    closeSync(held)
    throw codeOf(error) === 'EADDRINUSE' ? lockedStore(path, error) : error
  }
}

function listenAt(name: string): Promise<GiveUp> {
  const server = createServer((socket) => socket.destroy())
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    // Exclusive: the workers of a cluster would share the name.
    server.listen({ path: name, exclusive: true }, () => {
      server.unref()
      resolve(() => new Promise((closed) => server.close(() => closed())))
    })
  })
}

/**
 * Locks a folder against other processes before anything in it is read.
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
      if (codeOf(storeErrorOf(error, folder)) !== 'StoreCorrupted') throw error
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
