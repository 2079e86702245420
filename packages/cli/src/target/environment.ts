import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import type { Shell } from '../shell/shell.ts'

/** Variables by their names. */
export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads the variables that name targets. A variable of the environment wins over one of `.env` in the current folder, and that
 * one over one of `~/.rowkey.env`.
 *
 * @param shell - the environment and the current folder; its variable ROWKEY_PROFILES names another file than `~/.rowkey.env`
 */
export async function readEnvironment({ environment, folder }: Shell): Promise<Environment> {
  const profiles = environment.ROWKEY_PROFILES ?? join(homedir(), '.rowkey.env')
  return {
    ...(await readVariables(profiles)),
    ...(await readVariables(join(folder, '.env'))),
    ...environment,
  }
}

async function readVariables(path: string): Promise<Environment> {
  try {
    return parseEnv(await readFile(path, 'utf8')) as Environment
  } catch (error) {
    if (isMissing(error)) return {}
    throw error
  }
}

/** Tells whether an error of the file system says that a file does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
