import type { DynamicRow, KeyMembers } from '@rowkey/mapper'
import { type Account, connect, type DynamicEntity, type Table } from 'rowkey'
import type { Shell } from '../shell/shell.ts'
import { readEnvironment } from './environment.ts'
import { resolveTarget } from './resolve-target.ts'

/** A table whose rows are read and written as they are stored. */
export type RowTable = Table<DynamicEntity, DynamicEntity | DynamicRow, KeyMembers<DynamicEntity>>

/**
 * Opens the account of a command, and closes it afterwards.
 *
 * @param shell - the environment
 * @param target - the text of `--target`
 * @param use - what to do with the account
 */
export async function withAccount<Result>(
  shell: Shell,
  target: string | undefined,
  use: (account: Account) => Promise<Result>,
): Promise<Result> {
  const account = connect(resolveTarget(target, await readEnvironment(shell)), {
    applicationId: 'rowkey-cli',
  })
  try {
    return await use(account)
  } finally {
    await account.close()
  }
}

/** Names an account for people, without its credential: `contoso.table.core.windows.net`. */
export function placeOf({ service }: Account): string {
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
