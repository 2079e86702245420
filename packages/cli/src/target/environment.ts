import { homedir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { cliInputError } from '../errors/codes.ts'
import { readIfExists } from '../shell/files.ts'
import type { Shell } from '../shell/shell.ts'

/** Variables by their names. */
export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads the variables that name targets. A variable of the environment wins over one of `.env` in the current folder, and that
 * one over one of `~/.rowkey.env`.
 *
 * @param shell - the environment and the current folder; its variable ROWKEY_PROFILES names another file than `~/.rowkey.env`
 * @throws InputError with the code `MissingTarget` for a file in UTF-16
 */
export async function readEnvironment({ environment, folder }: Shell): Promise<Environment> {
  const profiles = environment.ROWKEY_PROFILES ?? join(homeOf(environment), '.rowkey.env')
  return {
    ...(await readVariables(profiles)),
    ...(await readVariables(join(folder, '.env'))),
    ...environment,
  }
}

/** Returns the folder of the user. Windows has no variable HOME. */
export const homeOf = ({ HOME: home }: Environment): string => home || homedir()

/** Windows begins UTF-8 with a byte order mark, which would be part of the first name, or writes UTF-16, which has no names. */
async function readVariables(path: string): Promise<Environment> {
  const text = (await readIfExists(path)) ?? ''
  if (!text.includes('\0')) return parseEnv(text.replace(/^\uFEFF/, '')) as Environment
  throw cliInputError('MissingTarget', `${path} is not UTF-8 text. Save it as UTF-8.`)
}
