import { resolve } from 'node:path'
import { type EntityModel, UnionType } from '@rowkey/mapper'
import { Command } from 'commander'
import type { DynamicEntity } from 'rowkey'
import { type ConfirmOptions, isConfirmed, withConfirm } from '../edit/confirm.ts'
import { cliInputError } from '../errors/codes.ts'
import { type LoadedModels, loadModels } from '../model/load-model.ts'
import { modelTable } from '../model/model-table.ts'
import { modelsIn } from '../model/models-in.ts'
import { count, withProgress } from '../output/progress.ts'
import { EXIT, printJson, type Shell } from '../shell/shell.ts'
import { withoutControls } from '../shell/without-controls.ts'
import { rangesOf, sweepRanges } from '../sweep/sweep-table.ts'
import { type RowTable, withAccount } from '../target/open-account.ts'
import { type TargetOptions, withTarget } from '../target/target-options.ts'

interface UpgradeOptions extends TargetOptions, ConfirmOptions {
  readonly table?: string
  readonly model?: string
  readonly verify?: true
}

/** `rowkey upgrade <module>`: brings rows of earlier versions to the newest one. */
export function upgradeCommand(shell: Shell): Command {
  return withConfirm(withTarget(new Command('upgrade')))
    .description('counts the rows of each version of a model, and brings old ones to the newest')
    .argument(
      '<module>',
      'a module that exports a model with a version; TypeScript needs esbuild beside it',
    )
    .option('--model <name>', 'the export (default: the union, or the only model)')
    .option('--table <name>', 'the table (default: the one that the model names)')
    .option(
      '--verify',
      'writes nothing, and exits with 3 while a row of an earlier version is left',
    )
    .action(async (module: string, options: UpgradeOptions) => {
      let loaded: LoadedModels | undefined
      const load = async (): Promise<LoadedModels['connect']> => {
        loaded = await loadModels(resolve(shell.folder, module))
        return loaded.connect
      }
      await withAccount(
        shell,
        options,
        async (account, place) => {
          const { models, upgradeTable } = loaded as LoadedModels
          const table = modelTable(account, { models }, options)
          const { name } = table
          const versions = versionsIn(models, options.model)
          const found = await countVersions(account.table(name), versions, shell.signal)
          const old = [...found].reduce(
            (sum, [at, rows]) => sum + (at < versions.newest ? rows : 0),
            0,
          )
          if (!options.json) shell.warn(versionsText(name, found))
          let upgraded = 0
          if (options.verify) shell.exitCode = old > 0 ? EXIT.different : EXIT.done
          else if (
            old > 0 &&
            (await isConfirmed(
              shell,
              options,
              `upgrade writes to ${name} of ${place}`,
              `Upgrade ${count(old)} rows?`,
            ))
          ) {
            await withProgress(shell, 'read', options, async (onRows) => {
              let read = 0
              const end = await upgradeTable(table as never, {
                signal: shell.signal,
                onProgress(progress) {
                  onRows(progress.read - read)
                  read = progress.read
                },
              })
              upgraded = end.upgraded
            })
            if (!options.json)
              shell.warn(`Upgraded ${count(upgraded)} rows of ${withoutControls(name)}.\n`)
          }
          if (options.json) {
            await printJson(shell, {
              table: name,
              versions: Object.fromEntries(found),
              old,
              upgraded,
            })
          }
        },
        load,
      )
    })
}

/** The versions that a module knows. */
interface Versions {
  /** The types of all versions: what has another type is not counted. */
  readonly types: readonly UnionType[]
  /** The stored property with the number. */
  readonly property: string
  readonly newest: number
}

function versionsIn(models: LoadedModels['models'], name: string | undefined): Versions {
  const named = Object.entries(models).filter(([each]) => name === undefined || each === name)
  const found = named.flatMap(([, value]) => modelsIn(value))
  const numbered = found.flatMap(({ version }) => version ?? [])
  const newest = numbered.reduce((most, { number }) => Math.max(most, number), 0)
  const property = numbered[0]?.property
  if (property === undefined) {
    throw cliInputError('InvalidArgument', 'The module exports no model with a version.')
  }
  return { types: found.flatMap(chainOf).map((model) => new UnionType(model)), property, newest }
}

/** Returns a model and those of its earlier versions. */
function chainOf(model: EntityModel<object>): readonly EntityModel<object>[] {
  const previous = model.version?.previous
  return previous === undefined ? [model] : [model, ...chainOf(previous)]
}

/** Counts the rows of each version; a row without a number is of the first. */
async function countVersions(
  table: RowTable,
  { types, property }: Versions,
  signal: AbortSignal,
): Promise<ReadonlyMap<number, number>> {
  const found = new Map<number, number>()
  const query = table.query()
  const ranges = await rangesOf(table, query, 8, signal)
  const add = (row: DynamicEntity): void => {
    const raw = row.toJSON()
    if (!types.some((type) => type.hasRow(raw))) return
    const number = Number(row.get(property)?.value ?? 1)
    found.set(number, (found.get(number) ?? 0) + 1)
  }
  await sweepRanges({ query, concurrency: 8, signal }, ranges, async (rows) => rows.forEach(add))
  return new Map([...found].sort(([one], [other]) => one - other))
}

function versionsText(table: string, versions: ReadonlyMap<number, number>): string {
  const lines = [...versions].map(([number, rows]) => `  version ${number}: ${count(rows)} rows\n`)
  return `${withoutControls(table)}:\n${lines.length > 0 ? lines.join('') : '  no rows\n'}`
}
