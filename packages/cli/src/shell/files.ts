import { existsSync, statSync } from 'node:fs'
import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

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

/**
 * Writes a file, so that it survives a crash of the machine. A crash leaves the earlier file or this one.
 *
 * @param path - the file
 * @param text - its content
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const file = await open(`${path}.new`, 'w')
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
    await mkdir(path)
  } catch (error) {
    if (isMissing(error) && !existsSync(dirname(path))) {
      await makeFolder(dirname(path))
      return makeFolder(path)
    }
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}

/** Tells whether an error of the file system says that a file does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
