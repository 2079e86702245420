import { homedir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { readIfExists } from '../shell/files.ts'
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
  return parseEnv((await readIfExists(path)) ?? '') as Environment
}
