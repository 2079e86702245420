import { resolve } from 'node:path'
import { Command } from 'commander'
import type { Account } from 'rowkey'
import { cliInputError } from '../errors/codes.ts'
import { type CheckedQuery, checkRows, type Misfit } from '../model/check-rows.ts'
import { isUnion, type LoadedModels, loadModels } from '../model/load-model.ts'
import { count } from '../output/progress.ts'
import { EXIT, printJson, type Shell } from '../shell/shell.ts'
import { withoutControls } from '../shell/without-controls.ts'
import { readEnvironment } from '../target/environment.ts'
import { addressOf, checkFolder, placeOf, warnOfRange } from '../target/open-account.ts'
import { sasParameters } from '../target/sas-parameters.ts'
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
      const environment = await readEnvironment(shell)
      const { address, flavour } = await addressOf(options, environment, shell)
      const loaded = await loadModels(resolve(shell.folder, module))
      const account = loaded.connect(address, { flavour })
      try {
        checkFolder(placeOf(account, address, shell.folder))
        warnOfRange(shell, sasParameters(address, environment))
        const { table, query } = checkedQuery(account, loaded, options)
        const rows = options.take === undefined ? query : query.take(options.take)
        const result = await checkRows(rows, { signal: shell.signal })
        if (options.json) await printJson(shell, { table, ...result })
        else await shell.print(checkText(table, result))
        if (options.verify && result.misfits.length > 0) shell.exitCode = EXIT.different
      } finally {
        await account.close()
      }
    })
}

/** A table of any model. */
interface AnyTable {
  readonly name: string
  query(): CheckedQuery
}

/** Opens the table of the export that the options name. */
function checkedQuery(
  account: Account,
  { models }: LoadedModels,
  { model, table }: CheckOptions,
): { readonly table: string; readonly query: CheckedQuery } {
  const named = Object.entries(models).filter(([name]) => model === undefined || name === model)
  const opened = named.flatMap(([, value]) => openModel(account, value, table) ?? [])
  const union = named.map(([, value]) => value).find(isUnion)
  const name = table ?? opened[0]?.name
  if (union !== undefined && name !== undefined) {
    // The module says what the union is of; here only its rows count.
    const found = account.table(name, union as never) as unknown as AnyTable
    return { table: name, query: found.query().allowTableScan() }
  }
  const [only, ...others] = opened
  if (only === undefined || others.length > 0) {
    const names = Object.keys(models)
    const advice =
      names.length === 0
        ? 'Export a class with @Entity, a model of defineEntity, or a union.'
        : `Give --model with one of: ${names.join(', ')}.`
    const found = only === undefined ? 'no model' : 'several models'
    throw cliInputError('InvalidArgument', `The module exports ${found}. ${advice}`)
  }
  return { table: only.name, query: only.query().allowTableScan() }
}

/** Opens the table of an export, unless it is not a model. */
function openModel(
  account: Account,
  value: unknown,
  table: string | undefined,
): AnyTable | undefined {
  if (isUnion(value)) return undefined
  try {
    return account.table(value as never, table) as unknown as AnyTable
  } catch {
    return undefined
  }
}

function checkText(
  table: string,
  { read, misfits }: { readonly read: number; readonly misfits: readonly Misfit[] },
): string {
  const bad = misfits.reduce((sum, misfit) => sum + misfit.count, 0)
  const lines = misfits.flatMap(({ code, property, count: rows, examples }) => [
    `${count(rows)} rows: ${code}${property === undefined ? '' : ` of ${property}`}`,
    ...examples.map(({ key, message }) => `  ${JSON.stringify(key)}: ${message}`),
  ])
  const first = `The model reads ${count(read)} rows of ${table}, and cannot read ${count(bad)}.`
  return `${[first, ...lines].map(withoutControls).join('\n')}\n`
}
