import { existsSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import type { DynamicRow, KeyMembers } from '@rowkey/mapper'
import { type Account, type ConnectOptions, connect, type DynamicEntity, type Table } from 'rowkey'
import { cliInputError } from '../errors/codes.ts'
import type { Shell } from '../shell/shell.ts'
import { entraTokens } from './entra-tokens.ts'
import { type Environment, readEnvironment } from './environment.ts'
import { plainAddress, resolveTarget, traitsOf } from './resolve-target.ts'
import { coveredKeys, sasParameters } from './sas-parameters.ts'
import type { Target } from './target-options.ts'

/** A table whose rows are read and written as they are stored. */
export type RowTable = Table<DynamicEntity, DynamicEntity | DynamicRow, KeyMembers<DynamicEntity>>

/**
 * Opens the account of a command, and closes it afterwards.
 *
 * @param shell - the environment
 * @param target - the options that name it
 * @param use - what to do with the account
 * @param open - loads `connect` of the copy of rowkey that models use; that of the command when absent
 * @throws InputError with the code `MissingTarget` for a folder that does not exist
 */
export function withAccount<Result>(
  shell: Shell,
  target: Target,
  use: AccountUse<Result>,
  open?: LoadConnect,
): Promise<Result> {
  const useExisting: AccountUse<Result> = async (account, place) => {
    checkFolder(place)
    return use(account, place)
  }
  return withNewAccount(shell, target, useExisting, open)
}

/**
 * Rejects a folder that does not exist: a mistyped one would seem to have no tables, and would be made.
 *
 * @param place - of an account
 * @throws InputError with the code `MissingTarget`
 */
export function checkFolder(place: string): void {
  if (!isAbsolute(place) || existsSync(place)) return
  throw cliInputError(
    'MissingTarget',
    'The target is a folder that does not exist. import --create, copy --create and restore make it.',
  )
}

/** Loads `connect`, once it is known what to open. */
type LoadConnect = () => Promise<typeof connect>

/** What to do with an account, and its place: its name for people and for positions, without its credential. */
type AccountUse<Result> = (account: Account, place: string) => Promise<Result>

/** Opens an account as {@link withAccount} does, also a folder that does not exist yet. */
export async function withNewAccount<Result>(
  shell: Shell,
  target: Target,
  use: AccountUse<Result>,
  open: LoadConnect = async () => connect,
): Promise<Result> {
  const environment = await readEnvironment(shell)
  const { address, flavour } = await addressOf(target, environment, shell)
  const openAddress = await open()
  const account = openAddress(address, { applicationId: 'rowkey-cli', flavour })
  warnOfRange(shell, sasParameters(address, environment))
  try {
    return await use(account, placeOf(account, address, shell.folder))
  } finally {
    await account.close()
  }
}

/**
 * Finds what to open an account by.
 *
 * @param target - the options that name it
 * @param environment - the variables
 * @param shell - the folder of the project, which may have `@azure/identity`
 */
export async function addressOf(
  target: Target,
  environment: Environment,
  { folder }: Pick<Shell, 'folder'>,
): Promise<{ readonly address: string | ConnectOptions; readonly flavour: Target['flavour'] }> {
  const { flavour, auth } = traitsOf(target, environment)
  if (auth === undefined) return { address: resolveTarget(target.target, environment), flavour }
  const endpoint = plainAddress(target.target, environment)
  return { address: { endpoint, credential: await entraTokens(folder) }, flavour }
}

/**
 * Warns of a signature for some keys. The service shows no other rows, and says nothing about them, so a backup or a copy would seem
 * to be whole.
 *
 * @param shell - prints the warning
 * @param parameters - of the signature; absent without one
 */
export function warnOfRange(shell: Shell, parameters: URLSearchParams | undefined): void {
  const keys = parameters && coveredKeys(parameters)
  if (keys === undefined) return
  shell.warn(`rowkey: the signature covers only ${keys}. Other rows seem to be missing.\n`)
}

/**
 * Names an account: `contoso.table.core.windows.net`, or the folder of its tables. All folders have the same endpoint.
 *
 * @param account - the account
 * @param address - what it was opened by
 * @param folder - the current folder
 */
export function placeOf(
  { service }: Account,
  address: string | ConnectOptions,
  folder: string,
): string {
  const [, path] = /^\s*file:(.*)$/is.exec(String(address)) ?? []
  if (path !== undefined) return resolve(folder, path)
  const { origin, basePath } = service.endpoint
  return `${origin.replace(/^https?:\/\//, '')}${basePath}`
}

/**
 * Lists the names of tables.
 *
 * @param account - the account
 * @param options - which tables, and the signal that cancels the requests
 */
export async function tableNames(
  account: Account,
  options: Parameters<Account['tables']>[0],
): Promise<string[]> {
  const names: string[] = []
  for await (const name of account.tables(options)) names.push(name)
  return names
}
