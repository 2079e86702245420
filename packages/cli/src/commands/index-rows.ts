import { resolve } from 'node:path'
import { Argument, Command } from 'commander'
import type { Account } from 'rowkey'
import { type ConfirmOptions, isConfirmed, withConfirm } from '../edit/confirm.ts'
import { cliInputError } from '../errors/codes.ts'
import {
  type Comparison,
  type DeclarationChoice,
  type Finding,
  type OpenDeclaration,
  openDeclarations,
} from '../model/declarations.ts'
import { type LoadedModels, loadModels } from '../model/load-model.ts'
import { count, counted, withProgress } from '../output/progress.ts'
import { EXIT, printJson, type Shell } from '../shell/shell.ts'
import { withoutControls } from '../shell/without-controls.ts'
import { withAccount } from '../target/open-account.ts'
import { type TargetOptions, withTarget } from '../target/target-options.ts'

type Action = 'state' | 'build' | 'verify' | 'repair' | 'drop'

const ACTIONS: readonly Action[] = ['state', 'build', 'verify', 'repair', 'drop']

interface IndexOptions extends TargetOptions, ConfirmOptions, DeclarationChoice {
  readonly models: string
}

/** `rowkey index <action>`: builds, compares, repairs and drops indexes, sums and copies. */
export function indexCommand(shell: Shell): Command {
  return withConfirm(withTarget(new Command('index')))
    .description(
      'builds, compares, repairs or drops the indexes, sums and copies that models declare',
    )
    .addArgument(
      new Argument(
        '<action>',
        'state and verify exit with 3 when one cannot be read or differs from its rows',
      ).choices(ACTIONS),
    )
    .argument('[names...]', 'which indexes, sums or copies (default: all; drop needs names)')
    .requiredOption(
      '--models <module>',
      'a module that exports what declareIndexes and the like return; TypeScript needs esbuild beside it',
    )
    .option('--declaration <name>', 'only this export of the module')
    .option('--table <name>', 'the table (default: the one that the model names)')
    .action(async (action: Action, names: string[], options: IndexOptions) => {
      let loaded: LoadedModels | undefined
      const load = async (): Promise<LoadedModels['connect']> => {
        loaded = await loadModels(resolve(shell.folder, options.models))
        return loaded.connect
      }
      const use = (account: Account, place: string): Promise<void> => {
        const all = openDeclarations(account, loaded as LoadedModels, options)
        return run(
          shell,
          { action, names, declarations: chosen(all, names, action), place },
          options,
        )
      }
      await withAccount(shell, options, use, load)
    })
}

/** What to do, and with which declarations. */
interface Work {
  readonly action: Action
  readonly names: readonly string[]
  readonly declarations: readonly OpenDeclaration[]
  readonly place: string
}

/** Leaves out the declarations without a name that is meant. */
function chosen(
  all: readonly OpenDeclaration[],
  names: readonly string[],
  action: Action,
): readonly OpenDeclaration[] {
  const has = ({ names: own }: OpenDeclaration, name: string): boolean =>
    own === undefined || own.includes(name.split('.', 1)[0] as string)
  if (action === 'drop') {
    if (names.length === 0) {
      throw cliInputError('InvalidArgument', 'drop needs the names of what to drop.')
    }
    // A name that is declared no longer belongs to the only declaration.
    const [only, ...others] = all
    if (only !== undefined && others.length === 0) return [only]
  }
  const unknown = names.find((name) => !all.some((each) => has(each, name)))
  if (unknown === undefined) {
    return names.length === 0 ? all : all.filter((each) => names.some((name) => has(each, name)))
  }
  const known = all.flatMap(({ title, names: own = [title] }) => own)
  throw cliInputError(
    'InvalidArgument',
    `The module declares no ${unknown}. It declares: ${known.join(', ')}. For one that is declared no longer, give --declaration.`,
  )
}

async function run(shell: Shell, work: Work, options: IndexOptions): Promise<void> {
  const { action, declarations, place } = work
  if (action === 'state') return showStates(shell, work, options)
  const isWrite = action !== 'verify'
  if (isWrite) {
    const titles = declarations.map(({ title }) => title).join(', ')
    const what = `index ${action} writes to the tables of ${titles} of ${place}`
    if (!(await isConfirmed(shell, options, what, `${action} ${titles}?`))) {
      if (action === 'drop' || !options.dryRun) return shell.warn('Nothing was written.\n')
    }
  }
  if (action === 'drop') return drop(shell, work, options)
  // A dry run of a build or a repair compares.
  return compare(shell, { ...work, action: options.dryRun ? 'verify' : action }, options)
}

async function showStates(
  shell: Shell,
  { declarations, names: wanted }: Work,
  { json }: IndexOptions,
): Promise<void> {
  const { signal } = shell
  const states: { readonly declaration: string; readonly name: string; readonly state: string }[] =
    []
  for (const { title, table, names } of declarations) {
    for (const name of names ?? [undefined]) {
      if (name !== undefined && wanted.length > 0 && !wanted.includes(name)) continue
      const state = await (name === undefined
        ? table.state({ signal })
        : table.state(name, { signal }))
      states.push({ declaration: title, name: name ?? title, state })
    }
  }
  if (json) await printJson(shell, { action: 'state', states })
  else {
    const lines = states.map(({ declaration, name, state }) => `${declaration} ${name}: ${state}\n`)
    await shell.print(lines.join(''))
  }
  if (states.some(({ state }) => state !== 'readable')) shell.exitCode = EXIT.different
}

async function drop(
  shell: Shell,
  { declarations, names }: Work,
  { json }: IndexOptions,
): Promise<void> {
  for (const { table, names: own } of declarations) {
    for (const name of names) {
      const isOwn = declarations.length === 1 || own?.includes(name.split('.', 1)[0] as string)
      if (isOwn) await table.drop(name, { signal: shell.signal })
    }
  }
  if (json) await printJson(shell, { action: 'drop', dropped: names })
  else shell.warn(`Dropped ${names.join(', ')}.\n`)
}

async function compare(
  shell: Shell,
  { action, declarations, names: wanted }: Work,
  options: IndexOptions,
): Promise<void> {
  const method = action as 'build' | 'verify' | 'repair' // the others are handled above
  const results: (Comparison & { readonly declaration: string })[] = []
  for (const { title, table, names } of declarations) {
    const only = names?.filter((name) => wanted.length === 0 || wanted.includes(name))
    const result = await withProgress(shell, 'compared', options, (onRows) => {
      let before = 0
      return table[method]({
        signal: shell.signal,
        ...(only !== undefined && wanted.length > 0 && { only }),
        onProgress({ rows }) {
          onRows(rows - before)
          before = rows
        },
      })
    })
    results.push({ ...result, declaration: title })
    if (!options.json) await shell.print(resultText(title, result))
  }
  if (options.json) {
    const reports = results.map(({ declaration, rows, kept, found, repaired, findings }) => ({
      ...{ declaration, rows, kept, found, repaired },
      // Sums may be bigints, which JSON lacks.
      findings: findings.map((each) => ({
        ...{ name: each.name, kind: each.kind, row: each.row, kept: each.kept },
        repaired: each.repaired,
      })),
    }))
    await printJson(shell, { action: method, declarations: reports })
  }
  if (results.some(({ found, repaired }) => found > repaired)) shell.exitCode = EXIT.different
}

/** How many differences are printed. */
const SHOWN = 20

function resultText(title: string, { rows, kept, found, repaired, findings }: Comparison): string {
  const lines = findings.slice(0, SHOWN).map((each) => `  ${withoutControls(findingText(each))}\n`)
  return `${title}: compared ${counted(rows, 'row')} with ${counted(kept, 'kept row')}; different: ${count(found)}, repaired: ${count(repaired)}.\n${lines.join('')}`
}

function findingText({ name, kind, row, kept, repaired }: Finding): string {
  const key = row ?? kept
  const place = key === undefined ? '' : ` ${JSON.stringify([key.partitionKey, key.rowKey])}`
  return `${kind} ${name}${place}${repaired ? ' (repaired)' : ''}`
}
