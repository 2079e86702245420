import { Command } from 'commander'
import type { DynamicEntity } from 'rowkey'
import { adviceOf } from '../advice/advice-of.ts'
import { tableStatistics } from '../advice/table-statistics.ts'
import { chosenQuery } from '../condition/query-options.ts'
import { sampleRows } from '../model/sample-rows.ts'
import { counted } from '../output/progress.ts'
import { printJson, type Shell } from '../shell/shell.ts'
import { withoutControls } from '../shell/without-controls.ts'
import { withAccount } from '../target/open-account.ts'
import { type TargetOptions, withTarget } from '../target/target-options.ts'
import { positiveNumber } from './query.ts'

interface AdviseOptions extends TargetOptions {
  readonly rows: number
}

/** `rowkey advise <table>`: looks for problems of keys, partitions and sizes. */
export function adviseCommand(shell: Shell): Command {
  return withTarget(new Command('advise'))
    .description(
      'reads rows and says what may become a problem: partitions, keys, sizes, missing indexes',
    )
    .argument('<table>', 'the table')
    .option(
      '--rows <number>',
      'how many rows to read, spread over the key space',
      positiveNumber,
      5_000,
    )
    .action((name: string, { json, rows, ...target }: AdviseOptions) =>
      withAccount(shell, target, async (account) => {
        const table = account.table(name)
        const sample = await sampleRows({
          table,
          query: chosenQuery(table, {}),
          rows,
          signal: shell.signal,
        })
        const found: DynamicEntity[] = []
        await sample.read((row) => found.push(row))
        const statistics = tableStatistics(found)
        const advice = [...adviceOf(statistics)]
        const { coverage } = sample
        if (json) {
          const counts = { rows: statistics.rows, partitions: statistics.partitions.size }
          return printJson(shell, { table: name, coverage, ...counts, advice })
        }
        const lines = advice.map(
          ({ finding, advice: text, page }) =>
            `- ${withoutControls(finding)}\n  ${text} See ${page}.\n`,
        )
        const none = lines.length === 0 ? ['Nothing stands out.\n'] : lines
        await shell.print(
          `${coverage}\n${counted(statistics.rows, 'row')} in ${counted(statistics.partitions.size, 'partition')}.\n${none.join('')}`,
        )
      }),
    )
}
