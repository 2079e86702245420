import { Command, InvalidArgumentError } from 'commander'
import { explanation, explanationText } from '../condition/explain-text.ts'
import {
  chosenPlan,
  chosenQuery,
  type RowChoice,
  withRowChoice,
  withSelect,
} from '../condition/query-options.ts'
import { counted } from '../output/progress.ts'
import {
  type FormatOptions,
  formatOf,
  printRows,
  textForm,
  withFormat,
} from '../output/row-printer.ts'
import { printJson, type Shell } from '../shell/shell.ts'
import { withAccount } from '../target/open-account.ts'
import { type TargetOptions, withTargetOnly } from '../target/target-options.ts'

interface QueryCommandOptions extends TargetOptions, FormatOptions, RowChoice {
  readonly json?: true
  readonly take: number
  readonly scan?: true
  readonly explain?: true
}

/** `rowkey query <table>`: prints rows. */
export function queryCommand(shell: Shell): Command {
  return withFormat(withSelect(withRowChoice(withTargetOnly(new Command('query')))))
    .description('prints rows of a table; rejects a query that would scan the table')
    .argument('<table>', 'the table')
    .option('-n, --take <number>', 'how many rows at most', positiveNumber, 100)
    .option('--scan', 'allows the query to read the whole table')
    .option('--explain', 'says what the query reads and costs, and sends nothing')
    .action((name: string, options: QueryCommandOptions) =>
      withAccount(shell, options, async (account) => {
        const table = account.table(name)
        const chosen = chosenQuery(table, options)
        const query = options.scan ? chosen.allowTableScan() : chosen
        if (options.explain) {
          const plan = explanation(name, chosenPlan(table, options))
          if (formatOf(options) === 'json') return printJson(shell, plan)
          return shell.print(explanationText(plan))
        }
        const { take } = options
        const format = formatOf(options)
        const written = textForm(options, format)
        // One row more tells whether the rows end here.
        const found = await query.take(take + 1).toArray({ signal: shell.signal })
        await shell.print(printRows(found.slice(0, take), format, written))
        if (found.length > take) {
          shell.warn(
            `The first ${counted(take, 'row')}; more follow. Give --take, or use rowkey export.\n`,
          )
        }
      }),
    )
}

/**
 * Reads a whole number from 1.
 *
 * @throws InvalidArgumentError for any other text
 */
export function positiveNumber(text: string): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (value > 0) return value
  throw new InvalidArgumentError('It must be a whole number from 1.')
}
