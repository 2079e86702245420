import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { dynamicEntityCodec, isEdmType } from '@rowkey/odata'
import { insertOrReplaceEntity } from '@rowkey/rest'
import { Command, InvalidArgumentError } from 'commander'
import { cliInputError } from '../errors/codes.ts'
import { counted, withProgress } from '../output/progress.ts'
import { COLUMN_TYPES, type ColumnTypes } from '../rows/read-csv.ts'
import { type FileFormat, type RowFile, readRows, STANDARD } from '../rows/read-rows.ts'
import type { RowLine } from '../rows/row-line.ts'
import { EXIT, printJson, type Shell } from '../shell/shell.ts'
import { warnOfKeptRows } from '../target/kept-rows.ts'
import { type RowTable, withAccount, withNewAccount } from '../target/open-account.ts'
import { type TargetOptions, withTarget } from '../target/target-options.ts'
import { addFailure, type ImportResult, noResult, resultText } from '../transfer/import-result.ts'
import { importRows } from '../transfer/import-rows.ts'
import { type OnExisting, onExistingOption } from '../transfer/on-existing.ts'
import { type Renames, renamedRow, withRename } from '../transfer/renamed-rows.ts'
import { rowWrite } from '../transfer/row-write.ts'
import { formatOption } from './export.ts'
import { positiveNumber } from './query.ts'

interface ImportOptions extends TargetOptions {
  readonly format?: FileFormat
  readonly type: ColumnTypes
  readonly delimiter?: string
  readonly onExisting: OnExisting
  readonly rename: Renames
  readonly create?: true
  readonly concurrency?: number
  readonly resumeFile?: string
  readonly dryRun?: true
}

/** How many rows an interrupted import may have to write again. */
const SEGMENT = 10_000

/** `rowkey import <table> [file]`: writes the rows of a file to a table. */
export function importCommand(shell: Shell): Command {
  return withRename(withTarget(new Command('import')))
    .description(
      'writes the rows of a file to a table; an interrupted import goes on when it is run again',
    )
    .argument('<table>', 'the table')
    .argument(
      '[file]',
      'NDJSON, JSON, CSV, the CSV of Storage Explorer, also compressed, or a manifest of AzCopy; - is the standard input',
      STANDARD,
    )
    .addOption(formatOption())
    .option(
      '--type <name=type>',
      `the type of a column of CSV without types: ${COLUMN_TYPES.join(', ')}; repeatable`,
      columnType,
      {},
    )
    .option(
      '--delimiter <character>',
      'what separates the cells of CSV, such as ";" or tab',
      delimiterOf,
    )
    .addOption(onExistingOption())
    .option('--create', 'creates the table when it is missing')
    .option(
      '--concurrency <number>',
      'how many transactions at once (default: as many as the service takes, 8 to 64)',
      positiveNumber,
    )
    .option('--resume-file <file>', 'where the position is kept (default: beside the file)')
    .option('--dry-run', 'reads the whole file and writes nothing')
    .action(async (name: string, file: string, options: ImportOptions) => {
      const result = await importFile(shell, name, file, options)
      if (options.json) await printJson(shell, { table: name, ...result })
      else shell.warn(resultText(options.dryRun ? 'Would write' : 'Wrote', `to ${name}`, result))
      if (result.failed > 0) shell.exitCode = EXIT.failed
    })
}

function importFile(
  shell: Shell,
  name: string,
  file: string,
  options: ImportOptions,
): Promise<ImportResult> {
  const { format, type, delimiter, rename, onExisting, concurrency, create } = options
  const open = create ? withNewAccount : withAccount
  return open(shell, options, async (account, place) => {
    const path = file === STANDARD ? file : resolve(shell.folder, file)
    const paths = await filesOf(path)
    const size = await sizeOf(paths)
    let bytes = 0
    const onBytes = (read: number): void => {
      bytes += read
    }
    const rows = rowsOf(shell, paths, { format, types: type, delimiter, onBytes }, rename)
    const table = account.table(name)
    if (options.dryRun) return checkRows(table, rows, onExisting, shell.signal)
    if (create) await table.createIfNotExists({ signal: shell.signal })
    const subject = {
      ...{ command: 'import', account: place, table: name, format, type, onExisting },
      ...{ delimiter, rename },
    }
    const resumePath = options.resumeFile ?? `${path}.${name}.import`
    const result = await withProgress(shell, 'imported', options, (onRows) =>
      importRows({
        table,
        rows,
        onExisting,
        concurrency,
        segment: SEGMENT,
        signal: shell.signal,
        resume: file === STANDARD ? undefined : { path: resumePath, subject },
        // The rows of a small file are all read before the first is written.
        onRows: (written, settled) =>
          onRows(written, size > 0 ? (settled * bytes) / size : undefined),
      }),
    )
    if (!options.json && result.written > 0) await warnOfKeptRows(shell, table)
    return result
  })
}

/** The manifest of an export of AzCopy 7 names a set of JSON files, whose names begin with its own. */
const MANIFEST = /\.manifest$/i

/** Returns the files with the rows: the one that is named, or those of a manifest of AzCopy. */
async function filesOf(path: string): Promise<readonly string[]> {
  if (!MANIFEST.test(path)) return [path]
  const start = `${basename(path).replace(MANIFEST, '')}_`
  const names = (await readdir(dirname(path))).filter(
    (name) => name.startsWith(start) && /\.json$/i.test(name),
  )
  const [, total] = /"TotalDataFiles"\D{1,9}(\d+)/.exec(await readFile(path, 'utf8')) ?? []
  if (total === undefined ? names.length > 0 : names.length === Number(total)) {
    return names.sort().map((name) => join(dirname(path), name))
  }
  const found = `${counted(names.length, 'JSON file')} beside it begin with ${start}`
  const reason = `${path} is a manifest of AzCopy for ${total ?? 'some'} files, and ${found}. Put the files of one export there, in the format JSON.`
  throw cliInputError('UnreadableInput', reason)
}

async function sizeOf(paths: readonly string[]): Promise<number> {
  const sizes = await Promise.all(paths.map(sizeOfFile))
  return sizes.reduce((sum, size) => sum + size, 0)
}

async function sizeOfFile(path: string): Promise<number> {
  if (path === STANDARD) return 0
  const found = await stat(path)
  if (!found.isDirectory()) return found.size
  throw cliInputError('UnreadableInput', `${path} is a folder. Give a file.`)
}

async function* rowsOf(
  shell: Shell,
  paths: readonly string[],
  form: Omit<RowFile, 'path'>,
  renames: Renames,
): AsyncGenerator<RowLine, void, undefined> {
  for (const path of paths) {
    for await (const line of readRows(shell, { path, ...form })) {
      yield { ...line, row: renamedRow(line.row, renames) }
    }
  }
}

function delimiterOf(text: string): string {
  const delimiter = text === 'tab' || text === '\\t' ? '\t' : text
  if (/^[^"\r\n\w]$/.test(delimiter)) return delimiter
  throw new InvalidArgumentError(
    'Give one character that is not a letter, a digit or a quote, or tab.',
  )
}

/** Makes the request of each row without sending it, so that every mistake in them is found. */
async function checkRows(
  { name: table, parts }: RowTable,
  rows: AsyncIterable<RowLine>,
  onExisting: OnExisting,
  signal: AbortSignal,
): Promise<ImportResult> {
  const result = noResult()
  for await (const line of rows) {
    signal.throwIfAborted()
    rowWrite(line, onExisting)
    const { row } = line
    try {
      const write = { table, key: row, body: dynamicEntityCodec.write(row) }
      insertOrReplaceEntity.toRequest(write, parts.service.endpoint)
      result.written++
    } catch (error) {
      result.failed++
      addFailure(result, row, error)
    }
  }
  return result
}

function columnType(text: string, earlier: ColumnTypes): ColumnTypes {
  const [, name, type = ''] = /^(.+)=(?:Edm\.)?(\w+)$/.exec(text) ?? []
  if (name !== undefined && isEdmType(type)) {
    if (!Object.hasOwn(earlier, name)) return { ...earlier, [name]: type }
    throw new InvalidArgumentError(`${name} has two types.`)
  }
  throw new InvalidArgumentError(`Give name=type, with one of ${COLUMN_TYPES.join(', ')}.`)
}
