import { chmod, open, readdir, readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { invalidStoreFolder } from '../errors/store-error.ts'

/** The file beside the engine's files, in readable JSON. */
interface StoreFile {
  /** The version of the folder's content. */
  readonly format: number
  /** How many commits the store has at least; absent until the engine's files exist. */
  readonly commits?: number
}

const FILE = 'rowkey-store.json'
/** Left over when the process ended while it wrote the file. */
const UNFINISHED = `${FILE}.new`
/** Locks the folder. It is made first, and stays. */
export const LOCK = 'rowkey-store.lock'
const NAMES_OF_NOTHING: readonly string[] = [UNFINISHED, LOCK]
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
  const text = await readFile(join(folder, FILE), 'utf8').catch(orAbsent)
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
    const { format, commits } = JSON.parse(text)
    const isWhole = Number.isInteger(format) && (commits === undefined || commits >= 0)
    return isWhole ? { format, ...(commits === undefined ? {} : { commits }) } : undefined
  } catch {
    return undefined
  }
}

/** Writes the file completely or not at all, even when the process ends. */
async function writeStoreFile(folder: string, file: StoreFile): Promise<void> {
  const unfinished = join(folder, UNFINISHED)
  const writing = await open(unfinished, 'w', OWNER_ONLY.file)
  try {
    await writing.writeFile(`${JSON.stringify(file)}\n`)
    await writing.sync()
  } finally {
    await writing.close()
  }
  await rename(unfinished, join(folder, FILE))
}

function orAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
