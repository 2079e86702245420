import { chmod, open, readdir, readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { invalidStoreFolder } from '../errors/store-error.ts'

/** What stands beside the engine's files, in JSON that people can read. */
export interface StoreFile {
  /** The version of everything in the folder. */
  readonly format: number
  /** The store has at least as many commits; absent until the engine's files are all there. */
  readonly commits?: number
}

const FILE = 'rowkey-store.json'
/** A file that was being written when the process ended. */
const UNFINISHED = `${FILE}.new`
/** What locks the folder: it comes first, and stays. */
export const LOCK = 'rowkey-store.lock'
const NAMES_OF_NOTHING: readonly string[] = [UNFINISHED, LOCK]
const FORMAT = 2

/** Permissions of what a store makes: other users of the machine see nothing of it. */
export const OWNER_ONLY = { folder: 0o700, file: 0o600 } as const

/** A store that is just being made. */
const BEGUN: StoreFile = { format: FORMAT }

/**
 * Reads what a folder says of itself, and changes nothing.
 *
 * @returns `undefined` when there is no store in it yet
 * @throws StoreError InvalidStoreFolder when it holds something else
 */
export async function readFolder(folder: string): Promise<StoreFile | undefined> {
  // In this order: another process may be writing the file just now, and then the others.
  const names = await readdir(folder)
  const text = await readFile(join(folder, FILE), 'utf8').catch(orAbsent)
  if (text !== undefined) return readStoreFile(folder, text)
  const other = names.find((name) => !NAMES_OF_NOTHING.includes(name))
  if (other === undefined) return undefined
  const found = `it holds files that are no store, such as '${other}'. Give an empty folder or a new one`
  throw invalidStoreFolder(folder, found)
}

/**
 * Makes a folder that is there ready to be opened, and reads what it says of itself.
 *
 * @throws StoreError InvalidStoreFolder when it holds something else
 */
export async function prepareFolder(folder: string): Promise<StoreFile> {
  const file = await readFolder(folder)
  if (file !== undefined) return file
  await writeStoreFile(folder, BEGUN)
  return BEGUN
}

/**
 * Takes the files in a folder away from other users, as far as they are this user's own. The engine
 * makes its files by the umask, and takes no mode.
 */
export async function restrictFiles(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  await Promise.allSettled(files.map(({ name }) => chmod(join(folder, name), OWNER_ONLY.file)))
}

/** Notes that the store has at least so many commits. */
export async function recordCommits(folder: string, commits: number): Promise<void> {
  await writeStoreFile(folder, { format: FORMAT, commits })
}

/** Bytes of the engine's logs: what it takes into its table files when it is opened. */
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
      ? `its ${FILE} is not as it was written`
      : `it has format ${file.format}, and this version of @rowkey/local knows format ${FORMAT}. Give a new folder, or use the version that made this one`
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

/** Whole or not at all, also when the process ends half-way. */
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
