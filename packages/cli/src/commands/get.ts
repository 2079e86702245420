import { Command } from 'commander'
import {
  type FormatOptions,
  formatOf,
  printRows,
  textForm,
  withFormat,
} from '../output/row-printer.ts'
import { printRowLine } from '../rows/row-line.ts'
import type { Shell } from '../shell/shell.ts'
import { withAccount } from '../target/open-account.ts'
import { type TargetOptions, withTargetOnly } from '../target/target-options.ts'

/** `rowkey get <table> <partition> <row>`: prints one row. */
export function getCommand(shell: Shell): Command {
  return withFormat(withTargetOnly(new Command('get')))
    .description('prints one row by its key')
    .argument('<table>', 'the table')
    .argument('<partitionKey>', 'its PartitionKey')
    .argument('<rowKey>', 'its RowKey')
    .action(
      (
        name: string,
        partitionKey: string,
        rowKey: string,
        options: TargetOptions & FormatOptions,
      ) =>
        withAccount(shell, options, async (account) => {
          const format = formatOf(options)
          const written = textForm(options, format)
          const row = await account
            .table(name)
            .get({ partitionKey, rowKey }, { signal: shell.signal })
          const text =
            format === 'json' ? `${printRowLine(row)}\n` : printRows([row], format, written)
          await shell.print(text)
        }),
    )
}
