import { Command } from 'commander'
import { explanation, explanationText } from '../condition/explain-text.ts'
import {
  chosenPlan,
  chosenQuery,
  type RowChoice,
  withRowChoice,
} from '../condition/query-options.ts'
import { printJson, type Shell } from '../shell/shell.ts'
import { withAccount } from '../target/open-account.ts'
import { type TargetOptions, withTarget } from '../target/target-options.ts'

interface CountOptions extends TargetOptions, RowChoice {
  readonly scan?: true
  readonly explain?: true
}

/** `rowkey count <table>`: counts rows. */
export function countCommand(shell: Shell): Command {
  return withRowChoice(withTarget(new Command('count')))
    .description('counts rows; the service has no count, so it reads the keys of all of them')
    .argument('<table>', 'the table')
    .option('--scan', 'allows the query to read the whole table')
    .option('--explain', 'says what the query reads and costs, and sends nothing')
    .action((name: string, options: CountOptions) =>
      withAccount(shell, options, async (account) => {
        const table = account.table(name)
        const chosen = chosenQuery(table, options)
        const query = options.scan ? chosen.allowTableScan() : chosen
        if (options.explain) {
          const plan = explanation(name, chosenPlan(table, options))
          return options.json ? printJson(shell, plan) : shell.print(explanationText(plan))
        }
        const count = await query.count({ signal: shell.signal })
        if (options.json) await printJson(shell, { table: name, count })
        else await shell.print(`${count}\n`)
      }),
    )
}
