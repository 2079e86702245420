import { createReadStream, statSync } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Command, Option } from 'commander'
import {
  chosenQuery,
  isKept,
  type RowChoice,
  withRowChoice,
  withSelect,
} from '../condition/query-options.ts'
import { cliInputError } from '../errors/codes.ts'
import { count, counted, withProgress } from '../output/progress.ts'
import { formulasOption, textForm } from '../output/row-printer.ts'
import { type FileFormat, formatOfFile, STANDARD } from '../rows/read-rows.ts'
import { printJson, type Shell } from '../shell/shell.ts'
import { warnOfLeftOut } from '../target/kept-rows.ts'
import { withAccount } from '../target/open-account.ts'
import { type TargetOptions, withTarget } from '../target/target-options.ts'
import { exportToFile } from '../transfer/export-table.ts'
import { positiveNumber } from './query.ts'

interface ExportOptions extends TargetOptions, RowChoice {
  readonly format?: FileFormat
  readonly gzip?: true
  readonly ranges: number
  readonly force?: true
  readonly formulas: boolean
}

/** `rowkey export <table> [file]`: writes rows to a file. */
export function exportCommand(shell: Shell): Command {
  return withSelect(withRowChoice(withTarget(new Command('export'))))
    .description(
      'writes the rows of a table to a file; an interrupted export goes on when it is run again',
    )
    .argument('<table>', 'the table')
    .argument(
      '[file]',
      'the file; .json, .csv and .gz at the end choose the format; - is the standard output',
      STANDARD,
    )
    .addOption(formatOption())
    .addOption(formulasOption())
    .option('--gzip', 'compresses the file')
    .option('--ranges <number>', 'how many ranges of partitions to read at once', positiveNumber, 8)
    .option('--force', 'overwrites the file')
    .action(async (name: string, file: string, options: ExportOptions) => {
      if (file === STANDARD) return exportToOutput(shell, name, options)
      const path = resolve(shell.folder, file)
      const stored = statSync(path, { throwIfNoEntry: false })
      if (stored !== undefined && !(stored.isFile() && options.force)) {
        const advice = stored.isFile()
          ? 'Give --force to overwrite it, or another file.'
          : 'It is not a file. Give another one.'
        throw cliInputError('InvalidArgument', `${file} exists. ${advice}`)
      }
      const result = await exportTable(shell, name, path, options)
      const { size } = await stat(path)
      const summary = { table: name, file, ...result, bytes: size }
      if (options.json) await printJson(shell, summary)
      else {
        const earlier = result.resumed > 0 ? ` (${count(result.resumed)} by an earlier run)` : ''
        shell.warn(
          `Exported ${counted(result.rows, 'row')} of ${name}${earlier} to ${file}, ${counted(size, 'byte')}.\n`,
        )
        warnOfLeftOut(shell, result.leftOut)
      }
    })
}

/** Exports to a file of its own first, so that a CSV has its columns, and rows come in the order of keys. */
async function exportToOutput(shell: Shell, name: string, options: ExportOptions): Promise<void> {
  if (options.json) {
    throw cliInputError(
      'InvalidArgument',
      'The standard output has either rows or --json. Name a file.',
    )
  }
  const folder = await mkdtemp(join(tmpdir(), 'rowkey-export-'))
  try {
    const path = join(folder, 'rows')
    const { leftOut } = await exportTable(shell, name, path, options)
    for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 })) {
      await shell.print(chunk as Uint8Array)
    }
    warnOfLeftOut(shell, leftOut)
  } finally {
    await rm(folder, { recursive: true })
  }
}

function exportTable(shell: Shell, name: string, path: string, options: ExportOptions) {
  const { ranges, filter, partition, prefix, select, kept } = options
  const format = options.format ?? formatOfFile(path)
  const written = textForm(options, format)
  const isZipped = options.gzip ?? /\.gz$/i.test(path)
  return withAccount(shell, options, async (account, place) => {
    const table = account.table(name)
    return withProgress(shell, 'exported', options, (onRows) =>
      exportToFile({
        shell,
        table,
        path,
        format,
        written,
        isZipped,
        // They are read, so that it is known how many there are.
        query: chosenQuery(table, { ...options, kept: true }),
        isWanted: kept ? undefined : (row) => !isKept(row),
        concurrency: ranges,
        subject: {
          command: 'export',
          account: place,
          table: name,
          filter,
          partition,
          prefix,
          select,
          kept,
        },
        onRows,
      }),
    )
  })
}

/** Makes the option `--format`, whose values are those of {@link FileFormat}. */
export function formatOption(): Option {
  const choices: readonly FileFormat[] = ['ndjson', 'json', 'csv', 'explorer-csv']
  const description = 'the format, instead of the one that the name says'
  return new Option('--format <format>', description).choices(choices)
}
