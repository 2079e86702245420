import { resolve } from 'node:path'
import { Command } from 'commander'
import { chosenQuery, isKept, type RowChoice, withRowChoice } from '../condition/query-options.ts'
import { withProgress } from '../output/progress.ts'
import { EXIT, printJson, type Shell } from '../shell/shell.ts'
import { warnOfKeptRows, warnOfLeftOut } from '../target/kept-rows.ts'
import { type PairOptions, withPair, withTables } from '../target/two-accounts.ts'
import { resultText } from '../transfer/import-result.ts'
import { type OnExisting, onExistingOption } from '../transfer/on-existing.ts'
import { type Renames, renamedRow, withRename } from '../transfer/renamed-rows.ts'
import { conflictOptions, rowWrite } from '../transfer/row-write.ts'
import { writeSwept } from '../transfer/write-swept.ts'
import { positiveNumber } from './query.ts'

interface CopyCommandOptions extends PairOptions, RowChoice {
  readonly onExisting: OnExisting
  readonly ranges: number
  readonly rename: Renames
  readonly resumeFile?: string
}

/** `rowkey copy <table>`: copies rows to another table, which may be in another account. */
export function copyCommand(shell: Shell): Command {
  return withRename(withRowChoice(withPair(new Command('copy'))))
    .description(
      'copies the rows of a table to another account; an interrupted copy goes on when it is run again',
    )
    .argument('<table>', 'the table')
    .addOption(onExistingOption())
    .option('--create', 'creates the table when it is missing')
    .option('--ranges <number>', 'how many ranges of partitions to copy at once', positiveNumber, 8)
    .option(
      '--resume-file <file>',
      'where the position is kept (default: <table>.copy in this folder)',
    )
    .action(async (name: string, options: CopyCommandOptions) => {
      const result = await copyTable(shell, name, options)
      const to = options.toTable ?? name
      if (options.json) await printJson(shell, { table: name, to, ...result })
      else {
        shell.warn(resultText('Copied', `to ${to}`, result))
        warnOfLeftOut(shell, result.leftOut)
      }
      if (result.failed > 0) shell.exitCode = EXIT.failed
    })
}

function copyTable(shell: Shell, name: string, options: CopyCommandOptions) {
  const { onExisting, ranges, create, filter, partition, prefix, kept, rename } = options
  return withTables(shell, name, options, async ({ first, second, places }) => {
    const { signal } = shell
    if (create) await second.createIfNotExists({ signal })
    const [from, to] = places
    const subject = {
      command: 'copy',
      from,
      table: name,
      to,
      toTable: second.name,
      filter,
      partition,
      prefix,
      kept,
      onExisting,
      rename,
    }
    const result = await withProgress(shell, 'copied', options, (onRows) =>
      writeSwept({
        source: first,
        query: chosenQuery(first, { ...options, kept: true }),
        isWanted: kept ? undefined : (row) => !isKept(row),
        write: (rows) => {
          const writes = rows.map((row) => rowWrite({ row: renamedRow(row, rename) }, onExisting))
          return second.bulk({ ...conflictOptions(onExisting), signal }).execute(writes)
        },
        concurrency: ranges,
        signal,
        now: shell.now,
        resume: { path: options.resumeFile ?? resolve(shell.folder, `${name}.copy`), subject },
        onRows,
      }),
    )
    if (!options.json && result.written > 0) await warnOfKeptRows(shell, second)
    return result
  })
}
