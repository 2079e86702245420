import { resolve } from 'node:path'
import { Command } from 'commander'
import type { Account } from 'rowkey'
import { type CheckedQuery, checkRows, type Misfit } from '../model/check-rows.ts'
import { type LoadedModels, loadModels } from '../model/load-model.ts'
import { modelTable } from '../model/model-table.ts'
import { count, counted } from '../output/progress.ts'
import { EXIT, printJson, type Shell } from '../shell/shell.ts'
import { withoutControls } from '../shell/without-controls.ts'
import { withAccount } from '../target/open-account.ts'
import { type TargetOptions, withTarget } from '../target/target-options.ts'
import { positiveNumber } from './query.ts'

interface CheckOptions extends TargetOptions {
  readonly table?: string
  readonly model?: string
  readonly take?: number
  readonly verify?: true
}

/** `rowkey check <module>`: finds rows that a model cannot read. */
export function checkCommand(shell: Shell): Command {
  return withTarget(new Command('check'))
    .description('reads the rows of a table by a model, and says which it cannot read, and why')
    .argument(
      '<module>',
      'a module that exports a class, a model or a union; TypeScript needs esbuild beside it',
    )
    .option('--model <name>', 'the export (default: the union, or the only model)')
    .option('--table <name>', 'the table (default: the one that the model names)')
    .option('-n, --take <number>', 'how many rows to read (default: all)', positiveNumber)
    .option('--verify', 'exits with 3 when a row cannot be read')
    .action(async (module: string, options: CheckOptions) => {
      let loaded: LoadedModels | undefined
      const load = async (): Promise<LoadedModels['connect']> => {
        loaded = await loadModels(resolve(shell.folder, module))
        return loaded.connect
      }
      const check = async (account: Account): Promise<void> => {
        const opened = modelTable(account, loaded as LoadedModels, options)
        const table = opened.name
        const query: CheckedQuery = opened.query().allowTableScan()
        const rows = options.take === undefined ? query : query.take(options.take)
        const result = await checkRows(rows, { signal: shell.signal })
        if (options.json) await printJson(shell, { table, ...result })
        else await shell.print(checkText(table, result))
        if (options.verify && result.misfits.length > 0) shell.exitCode = EXIT.different
      }
      await withAccount(shell, options, check, load)
    })
}

function checkText(
  table: string,
  { read, misfits }: { readonly read: number; readonly misfits: readonly Misfit[] },
): string {
  const bad = misfits.reduce((sum, misfit) => sum + misfit.count, 0)
  const lines = misfits.flatMap(({ code, property, count: rows, examples }) => [
    `${counted(rows, 'row')}: ${code}${property === undefined ? '' : ` of ${property}`}`,
    ...examples.map(({ key, message }) => `  ${JSON.stringify(key)}: ${message}`),
  ])
  const first = `The model reads ${counted(read, 'row')} of ${table}, and cannot read ${count(bad)}.`
  return `${[first, ...lines].map(withoutControls).join('\n')}\n`
}
