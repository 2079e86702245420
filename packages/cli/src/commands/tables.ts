import { Command } from 'commander'
import { textTable } from '../output/text-table.ts'
import type { Shell } from '../shell/shell.ts'
import { placeOf, withAccount } from '../target/open-account.ts'
import { type TargetOptions, withTarget } from '../target/target-options.ts'

interface TablesOptions extends TargetOptions {
  readonly prefix?: string
}

/** `rowkey tables`: lists the tables of an account. */
export function tablesCommand(shell: Shell): Command {
  return withTarget(new Command('tables'))
    .description('lists the tables of an account')
    .option('--prefix <text>', 'only tables whose names begin like this')
    .action(({ target, json, prefix }: TablesOptions) =>
      withAccount(shell, target, async (account) => {
        const names: string[] = []
        for await (const name of account.tables({ prefix, signal: shell.signal })) names.push(name)
        if (json)
          return shell.print(`${JSON.stringify({ account: placeOf(account), tables: names })}\n`)
        await shell.print(
          textTable(
            ['table'],
            names.map((name) => [name]),
          ),
        )
      }),
    )
}
