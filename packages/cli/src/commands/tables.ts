import { Command } from 'commander'
import { type ConfirmOptions, isConfirmed, withConfirm } from '../edit/confirm.ts'
import { textTable } from '../output/text-table.ts'
import { printJson, type Shell } from '../shell/shell.ts'
import { withoutControls } from '../shell/without-controls.ts'
import { tableNames, withAccount, withNewAccount } from '../target/open-account.ts'
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

/** `rowkey create <table>`: creates a table. */
export function createCommand(shell: Shell): Command {
  return withTarget(new Command('create'))
    .description('creates a table; one that exists stays as it is')
    .argument('<table>', 'the table')
    .action((name: string, { json, ...target }: TargetOptions) =>
      withNewAccount(shell, target, async (account, place) => {
        const { signal } = shell
        const isCreated = await account.table(name).createIfNotExists({ signal })
        if (json) return printJson(shell, { account: place, table: name, created: isCreated })
        shell.warn(
          `${withoutControls(name)} of ${place} ${isCreated ? 'was created' : 'exists already'}.\n`,
        )
      }),
    )
}

interface DropOptions extends TargetOptions, ConfirmOptions {}

/** `rowkey drop <table>`: deletes a table. */
export function dropCommand(shell: Shell): Command {
  return withConfirm(withTarget(new Command('drop')))
    .description('deletes a table with all of its rows')
    .argument('<table>', 'the table')
    .action((name: string, options: DropOptions) =>
      withAccount(shell, options, async (account, place) => {
        const { signal } = shell
        const table = account.table(name)
        const first = await table
          .query()
          .allowTableScan()
          .select('partitionKey')
          .firstOrUndefined({ signal })
        const rows = first === undefined ? 'which has no rows' : 'with all of its rows'
        if (!options.json) shell.warn(`drop ${withoutControls(name)} of ${place}, ${rows}.\n`)
        const isDropped = await isConfirmed(
          shell,
          options,
          `drop deletes ${name} of ${place}`,
          'Delete it?',
        )
        if (isDropped) await table.drop({ signal })
        if (options.json)
          return printJson(shell, { account: place, table: name, dropped: isDropped })
        shell.warn(isDropped ? 'Deleted.\n' : 'Nothing was deleted.\n')
      }),
    )
}
