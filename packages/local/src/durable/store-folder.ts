import { readdirSync } from 'node:fs'
import { chmod, mkdir, open, readdir, readFile, rename, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { invalidStoreFolder } from '../errors/store-error.ts'

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
    if (codeOf(error) === 'ENOENT') return false
    if (await isFolder(folder)) return true
    throw error
  }
}

/** Returns the code of an error; empty without one. */
export function codeOf(error: unknown): string {
  const { code = '' }: { code?: string } = Object(error)
  return code
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  return found?.isDirectory() === true
}

/** The file beside the engine's files, in readable JSON. */
interface StoreFile {
  /** The version of the folder's content. */
  readonly format: number
  /** How many commits the store has at least; absent until the engine's files exist. */
  readonly commits?: number | undefined
}

const FILE = 'rowkey-store.json'
/** Left over when the process ended while it wrote the file. */
const UNFINISHED = `${FILE}.new`
/** Shows that a store has the folder, on systems where a file can be open once. It stays. */
export const CLAIM = 'rowkey-store.claim'
/** Locks the folder. It is made first, and stays. */
export const LOCK = 'rowkey-store.lock'
/** What the roots of file systems, version control and macOS leave in folders that are empty otherwise. */
const OF_OTHERS: readonly string[] = ['lost+found', '.gitkeep', '.DS_Store']
const NAMES_OF_NOTHING: readonly string[] = [UNFINISHED, CLAIM, LOCK, ...OF_OTHERS]
const FORMAT = 2

/** The permissions of new folders and files: other users see nothing of a store. */
export const OWNER_ONLY = { folder: 0o700, file: 0o600 } as const

/** The file of a new store. */
const BEGUN: StoreFile = { format: FORMAT }

/**
 * Reads the file of a folder, and changes nothing.
 *
 * @returns `undefined` without a store
 * @throws StoreError InvalidStoreFolder when the folder contains something else
 */
export async function readFolder(folder: string): Promise<StoreFile | undefined> {
  // In this order, because another process may be creating the file and then the others.
  const names = await readdir(folder)
  const text = await readIfExists(join(folder, FILE))
  if (text !== undefined) return readStoreFile(folder, text)
  const other = names.find((name) => !NAMES_OF_NOTHING.includes(name))
  if (other === undefined) return undefined
  const found = `the folder contains other files, such as '${other}'. Give an empty folder or a new one`
  throw invalidStoreFolder(folder, found)
}

/**
 * Prepares an existing folder for the engine, and returns its file.
 *
 * @throws StoreError InvalidStoreFolder when the folder contains something else
 */
export async function prepareFolder(folder: string): Promise<StoreFile> {
  const file = await readFolder(folder)
  if (file !== undefined) return file
  await writeStoreFile(folder, BEGUN)
  return BEGUN
}

/**
 * Restricts the files in a folder to their owner, as far as this process may. The engine creates
 * files by the umask, and has no option for it.
 */
export async function restrictFiles(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  await Promise.allSettled(files.map(({ name }) => chmod(join(folder, name), OWNER_ONLY.file)))
}

/** Records how many commits the store has at least. */
export async function recordCommits(folder: string, commits: number): Promise<void> {
  await writeStoreFile(folder, { format: FORMAT, commits })
}

/** Returns the bytes of the engine's logs, which it rewrites as table files when it opens. */
export async function logSize(folder: string): Promise<number> {
  const logs = (await readdir(folder)).filter((name) => /^\d+\.log$/.test(name))
  const sizes = await Promise.all(logs.map(async (name) => (await stat(join(folder, name))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** Returns the path of one of the engine's logs; empty without one, or without the folder. */
export function logIn(folder: string): string {
  try {
    const [log = ''] = readdirSync(folder)
      .filter((name) => /^\d+\.log$/.test(name))
      .map((name) => join(folder, name))
    return log
  } catch {
    return ''
  }
}

function readStoreFile(folder: string, text: string): StoreFile {
  const file = parseStoreFile(text)
  if (file?.format === FORMAT) return file
  const found =
    file === undefined
      ? `its ${FILE} has changed since it was written`
      : `it has format ${file.format}, and this version of @rowkey/local supports format ${FORMAT}. Give a new folder, or use the version that made this one`
  throw invalidStoreFolder(folder, found)
}

function parseStoreFile(text: string): StoreFile | undefined {
  try {
    const { format, commits, ...others } = JSON.parse(text)
    const isWhole = Number.isInteger(format) && (commits === undefined || commits >= 0)
    // Another format may have other members.
    const isKnown = format !== FORMAT || Object.keys(others).length === 0
    return isWhole && isKnown ? { format, commits } : undefined
  } catch {
    return undefined
  }
}

function writeStoreFile(folder: string, file: StoreFile): Promise<void> {
  return replaceFile(join(folder, FILE), `${JSON.stringify(file)}\n`)
}

/** Writes a file completely or not at all, even when the process ends. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const unfinished = `${path}.new`
  const writing = await open(unfinished, 'w', OWNER_ONLY.file)
  try {
    await writing.writeFile(text)
    await writing.sync()
  } finally {
    await writing.close()
  }
  await rename(unfinished, path)
}

/** Reads a file; `undefined` when it does not exist. */
export async function readIfExists(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error
    return undefined
  })
}
