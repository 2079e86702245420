import { open, readFile, rename } from 'node:fs/promises'

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

/** Tells whether an error of the file system says that a file does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
