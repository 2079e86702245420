import { resolve } from 'node:path'
import { Command } from 'commander'
import { backUpTables } from '../backup/back-up-tables.ts'
import { damagesOf, type Manifest, readManifest } from '../backup/manifest.ts'
import { restoreTables } from '../backup/restore-tables.ts'
import { cliInputError } from '../errors/codes.ts'
import { count, counted, withProgress } from '../output/progress.ts'
import { EXIT, printJson, type Shell } from '../shell/shell.ts'
import { withoutControls } from '../shell/without-controls.ts'
import { warnOfKeptRows } from '../target/kept-rows.ts'
import { withAccount, withNewAccount } from '../target/open-account.ts'
import { type TargetOptions, withTarget } from '../target/target-options.ts'
import { resultText } from '../transfer/import-result.ts'
import { type OnExisting, onExistingOption } from '../transfer/on-existing.ts'
import { positiveNumber } from './query.ts'

interface BackupOptions extends TargetOptions {
  readonly incremental?: true
  readonly ranges: number
}

/** `rowkey backup <folder> [tables...]`: writes tables to a folder. */
export function backupCommand(shell: Shell): Command {
  return withTarget(new Command('backup'))
    .description(
      'writes the tables of an account to a folder, with checksums; an interrupted backup goes on when it is run again',
    )
    .argument('<folder>', 'the folder; a second backup is added to the first')
    .argument('[tables...]', 'the tables (default: all)')
    .option(
      '--incremental',
      'only rows that changed since the last backup in the folder; deleted rows are not noticed',
    )
    .option('--ranges <number>', 'how many ranges of partitions to read at once', positiveNumber, 8)
    .action((folder: string, tables: string[], options: BackupOptions) =>
      withAccount(shell, options, async (account, place) => {
        const run = await withProgress(shell, 'saved', options, (onRows) =>
          backUpTables({
            shell,
            account,
            place,
            folder: resolve(shell.folder, folder),
            tables,
            isIncremental: options.incremental === true,
            concurrency: options.ranges,
            onRows: (rows) => onRows(rows),
          }),
        )
        const rows = run.files.reduce((sum, file) => sum + file.rows, 0)
        if (options.json) await printJson(shell, { folder, ...run })
        else
          shell.warn(
            `Saved ${counted(rows, 'row')} of ${counted(run.files.length, 'table')} to ${folder}.\n`,
          )
      }),
    )
}

interface RestoreOptions extends TargetOptions {
  readonly onExisting: OnExisting
}

/** `rowkey restore <folder> [tables...]`: writes the tables of a backup to an account. */
export function restoreCommand(shell: Shell): Command {
  return withTarget(new Command('restore'))
    .description(
      'writes the tables of a backup to an account; an interrupted restore goes on when it is run again',
    )
    .argument('<folder>', 'the folder of the backup')
    .argument('[tables...]', 'the tables (default: all)')
    .addOption(onExistingOption())
    .action((name: string, tables: string[], options: RestoreOptions) =>
      withNewAccount(shell, options, async (account, place) => {
        const { json, onExisting } = options
        const folder = resolve(shell.folder, name)
        const manifest = await manifestOf(folder)
        const results = await withProgress(shell, 'restored', options, (onRows) =>
          restoreTables({ shell, account, place, folder, manifest, tables, onExisting, onRows }),
        )
        if (json) {
          const all = [...results].map(([table, result]) => ({ table, ...result }))
          await printJson(shell, { folder: name, tables: all })
        }
        for (const [table, result] of results) {
          if (!json) {
            shell.warn(resultText('Restored', `to ${table}`, result))
            if (result.written > 0) await warnOfKeptRows(shell, account.table(table))
          }
          if (result.failed > 0) shell.exitCode = EXIT.failed
        }
      }),
    )
}

/** `rowkey verify <folder>`: compares the files of a backup with its manifest. */
export function verifyCommand(shell: Shell): Command {
  return new Command('verify')
    .description(
      'compares the files of a backup with the checksums of its manifest; exits with 3 when one is damaged',
    )
    .argument('<folder>', 'the folder of the backup')
    .option('--json', 'prints one JSON document')
    .action(async (folder: string, { json }: { readonly json?: true }) => {
      const path = resolve(shell.folder, folder)
      const manifest = await manifestOf(path)
      const damages = await damagesOf(path, manifest, shell.signal)
      const files = manifest.runs.flatMap((run) => run.files).length
      if (json) await printJson(shell, { folder, runs: manifest.runs.length, files, damages })
      else if (damages.length === 0)
        shell.warn(`All files of the backup are as they were written: ${count(files)}.\n`)
      else {
        const lines = damages.map(({ file, problem }) => `${withoutControls(file)} is ${problem}\n`)
        await shell.print(lines.join(''))
      }
      if (damages.length > 0) shell.exitCode = EXIT.different
    })
}

async function manifestOf(folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder)
  if (manifest !== undefined) return manifest
  throw cliInputError('DamagedBackup', `${folder} has no manifest, so it is not a whole backup.`)
}
