import { resolve } from 'node:path'
import { Command } from 'commander'
import type { Account } from 'rowkey'
import { type ConfirmOptions, isConfirmed, withConfirm } from '../edit/confirm.ts'
import { type LoadedModels, loadModels } from '../model/load-model.ts'
import { modelTable } from '../model/model-table.ts'
import {
  countVersions,
  type VersionCount,
  type VersionedModel,
  versionedModels,
} from '../model/model-versions.ts'
import { type LedgerEntry, readLedger, writeLedger } from '../model/version-ledger.ts'
import { counted, withProgress } from '../output/progress.ts'
import { EXIT, printJson, type Shell } from '../shell/shell.ts'
import { withoutControls } from '../shell/without-controls.ts'
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
    .description(
      'counts the rows of each version of a model, brings old ones to the newest, and records in the table what is left',
    )
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
      const use = (account: Account, place: string): Promise<void> =>
        upgrade(shell, { account, place, loaded: loaded as LoadedModels }, options)
      await withAccount(shell, options, use, load)
    })
}

/** The account, and the module with the models. */
interface Upgraded {
  readonly account: Account
  readonly place: string
  readonly loaded: LoadedModels
}

async function upgrade(
  shell: Shell,
  { account, place, loaded }: Upgraded,
  options: UpgradeOptions,
): Promise<void> {
  const { signal } = shell
  const table = modelTable(account, loaded, options)
  const { name } = table
  const rows = account.table(name)
  const models = versionedModels(loaded.models, options.model)
  const before = await countedNow(shell, rows, models)
  const old = oldIn(before)
  let after = before
  if (!options.json) shell.warn(versionsText(name, before))
  let upgraded = 0
  let ledger: readonly (LedgerEntry | undefined)[]
  const what = `upgrade writes to ${name} of ${place}`
  const isWrite = options.verify !== true && (old > 0 || options.write === true)
  if (isWrite && (await isConfirmed(shell, options, what, `Upgrade ${counted(old, 'row')}?`))) {
    ledger = await recorded(rows, before, signal)
    if (old > 0) {
      upgraded = await upgradeRows(shell, loaded, table, options)
      if (!options.json)
        shell.warn(`Upgraded ${counted(upgraded, 'row')} of ${withoutControls(name)}.\n`)
      // Programs of an earlier version may still write.
      after = await countedNow(shell, rows, models)
      ledger = await recorded(rows, after, signal)
    }
  } else ledger = await Promise.all(models.map((each) => readLedger(rows, each, signal)))
  const isChecked = options.verify === true || upgraded > 0
  if (isChecked && oldIn(after) > 0) shell.exitCode = EXIT.different
  if (!options.json) return shell.warn(ledgerText(after, ledger))
  const versions = new Map<number, number>()
  for (const [number, found] of before.flatMap((each) => [...each.versions])) {
    versions.set(number, (versions.get(number) ?? 0) + found)
  }
  await printJson(shell, {
    table: name,
    versions: Object.fromEntries(versions),
    old,
    upgraded,
    ledger: models.map(({ title: model }, at) => ({ model, ...ledger[at] })),
  })
}

function upgradeRows(
  shell: Shell,
  { upgradeTable }: LoadedModels,
  table: object,
  options: UpgradeOptions,
): Promise<number> {
  return withProgress(shell, 'read', options, async (onRows) => {
    let read = 0
    const { upgraded } = await upgradeTable(table as never, {
      signal: shell.signal,
      onProgress(progress) {
        onRows(progress.read - read)
        read = progress.read
      },
    })
    return upgraded
  })
}

function recorded(
  rows: RowTable,
  counts: readonly VersionCount[],
  signal: AbortSignal,
): Promise<readonly LedgerEntry[]> {
  return Promise.all(counts.map((each) => writeLedger(rows, each, signal)))
}

/** Counts versions, with the time before the first row was read. */
function countedNow(
  shell: Shell,
  rows: RowTable,
  models: readonly VersionedModel[],
): Promise<readonly VersionCount[]> {
  return countVersions(rows, models, {
    signal: shell.signal,
    countedAt: new Date(shell.now()).toISOString(),
  })
}

const oldIn = (counts: readonly VersionCount[]): number =>
  counts.reduce((sum, { old }) => sum + old, 0)

function versionsText(table: string, counts: readonly VersionCount[]): string {
  const lines = counts.flatMap(({ model: { title }, versions }) =>
    Array.from(
      versions,
      ([number, rows]) => `  ${title} version ${number}: ${counted(rows, 'row')}\n`,
    ),
  )
  const text = lines.length > 0 ? lines.join('') : '  no rows\n'
  return `${withoutControls(table)}:\n${text}`
}

function ledgerText(
  counts: readonly VersionCount[],
  ledger: readonly (LedgerEntry | undefined)[],
): string {
  const lines = counts.map(({ model: { title, newest }, old }, at) => {
    const { nothingBelowSince: since, newest: recorded } = ledger[at] ?? {}
    const left =
      old > 0 ? `below ${newest}: ${counted(old, 'row')}` : `nothing is below ${newest} now`
    if (old > 0 || since === undefined || recorded !== newest) return `${title}: ${left}.\n`
    return `${title}: nothing below ${newest} since ${since}.\n`
  })
  return lines.join('')
}
