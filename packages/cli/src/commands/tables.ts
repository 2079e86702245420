import { Command } from 'commander'
import { textTable } from '../output/text-table.ts'
import { printJson, type Shell } from '../shell/shell.ts'
import { tableNames, withAccount } from '../target/open-account.ts'
import { type TargetOptions, withTarget } from '../target/target-options.ts'

interface TablesOptions extends TargetOptions {
  readonly prefix?: string
}

/** `rowkey tables`: lists the tables of an account. */
export function tablesCommand(shell: Shell): Command {
  return withTarget(new Command('tables'))
    .description('lists the tables of an account')
    .option('--prefix <text>', 'only tables whose names begin like this')
    .action(({ json, prefix, ...target }: TablesOptions) =>
      withAccount(shell, target, async (account, place) => {
        const tables = await tableNames(account, { prefix, signal: shell.signal })
        if (json) return printJson(shell, { account: place, tables })
        const lines = tables.map((name) => [name])
        await shell.print(textTable(['table'], lines))
      }),
    )
}
