import { existsSync, constants as flags, statSync } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, readFile, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import process from 'node:process'
import { cliInputError } from '../errors/codes.ts'

/** Rows and keys of tables are for the user alone, as a store is. */
export const PRIVATE_FILE: number = 0o600
const PRIVATE_FOLDER = 0o700

/** Windows does not have the flag, and lets only administrators make links. */
const NO_LINK = flags.O_NOFOLLOW ?? 0

/** Whether a file begins anew or goes on. */
export type OpenMode = 'fresh' | 'append'

const MODES: Readonly<Record<OpenMode, number>> = {
  fresh: flags.O_RDWR | flags.O_CREAT | flags.O_TRUNC,
  append: flags.O_RDWR | flags.O_CREAT | flags.O_APPEND,
}

/**
 * Opens a file whose name others can guess, and creates it when it is missing. A link that another user planted there is not
 * followed. Only the user can read a new file.
 *
 * @param path - the file
 * @param mode - whether its earlier content goes or stays
 */
export function openPrivate(path: string, mode: OpenMode): Promise<FileHandle> {
  return open(path, MODES[mode] | NO_LINK, PRIVATE_FILE)
}

/**
 * Reads a file.
 *
 * @param path - the file
 * @returns its text; `undefined` when it does not exist
 */
export async function readIfExists(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** Returns the value of a text that something else may have changed; `undefined` when it is not JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Writes a file, so that it survives a crash of the machine. A crash leaves the earlier file or this one.
 *
 * @param path - the file
 * @param text - its content
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const file = await openPrivate(`${path}.new`, 'fresh')
  try {
    await file.writeFile(text)
    await file.datasync()
  } finally {
    await file.close()
  }
  await rename(`${path}.new`, path)
}

/**
 * Makes a folder and the folders above it unless they exist. The recursive option of `mkdir` loops forever where a folder cannot
 * contain new ones, as in `/proc`.
 *
 * @param path - the folder
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, PRIVATE_FOLDER)
  } catch (error) {
    if (isMissing(error) && !existsSync(dirname(path))) {
      await makeFolder(dirname(path))
      return makeFolder(path)
    }
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}

/**
 * Makes a folder for the files of one command, unless an earlier run of it has left the folder.
 *
 * @param path - the folder
 * @throws InputError with the code `ResumeMismatch` for a link and for the folder of another user, which could lead files elsewhere
 */
export async function makePrivateFolder(path: string): Promise<void> {
  await makeFolder(path)
  const found = await lstat(path)
  const user = process.getuid?.()
  if (found.isDirectory() && (user === undefined || found.uid === user)) return
  throw cliInputError(
    'ResumeMismatch',
    `${path} is ${found.isDirectory() ? 'the folder of another user' : 'a link'}, where nothing is written. Delete it, or give another file.`,
  )
}

/** Tells whether an error of the file system says that a file does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
