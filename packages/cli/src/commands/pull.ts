import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Command } from 'commander'
import { chosenQuery, type RowChoice, withRowChoice } from '../condition/query-options.ts'
import { lineDifference } from '../model/line-difference.ts'
import { profileRows } from '../model/profile-rows.ts'
import { sampleRows } from '../model/sample-rows.ts'
import { writeModel } from '../model/write-model.ts'
import { STANDARD } from '../rows/read-rows.ts'
import { EXIT, printJson, type Shell } from '../shell/shell.ts'
import { withAccount } from '../target/open-account.ts'
import { type TargetOptions, withTarget } from '../target/target-options.ts'
import { positiveNumber } from './query.ts'

interface PullOptions extends TargetOptions, RowChoice {
  readonly all?: true
  readonly rows: number
  readonly values: boolean
}

/** `rowkey pull <table> [file]`: writes a model of the rows of a table. */
export function pullCommand(shell: Shell): Command {
  return withRowChoice(withTarget(new Command('pull')))
    .description(
      'reads rows and writes a model that reads them: classes with decorators, in TypeScript',
    )
    .argument('<table>', 'the table')
    .argument(
      '[file]',
      'the file; an existing one stays, and the difference is shown; - is the standard output',
      STANDARD,
    )
    .option(
      '--rows <number>',
      'how many rows to read, spread over the key space',
      positiveNumber,
      2_000,
    )
    .option('--all', 'reads all rows')
    .option('--no-values', 'writes no stored values, and so no enums')
    .action(async (name: string, file: string, options: PullOptions) => {
      const { coverage, text } = await pullModel(shell, name, options)
      if (file === STANDARD && !options.json) return shell.print(text)
      const written =
        file === STANDARD ? undefined : await writeBeside(shell, resolve(shell.folder, file), text)
      if (options.json) {
        const { file: path, isOther: differs } = written ?? {}
        await printJson(shell, { table: name, coverage, file: path, differs, model: text })
      } else {
        shell.warn(`${coverage} ${written?.message}\n`)
      }
      if (written?.isOther) shell.exitCode = EXIT.different
    })
}

function pullModel(shell: Shell, name: string, options: PullOptions) {
  return withAccount(shell, options, async (account) => {
    const table = account.table(name)
    const { coverage, read } = await sampleRows({
      table,
      query: chosenQuery(table, options),
      rows: options.all ? undefined : options.rows,
      signal: shell.signal,
    })
    const found = await profileRows(read)
    const text = writeModel({ table: name, coverage, ...found, showsValues: options.values })
    return { coverage, text }
  })
}

interface Written {
  /** The file that was written; absent when the model is as it was. */
  readonly file?: string
  readonly message: string
  /** Whether another model was there. */
  readonly isOther: boolean
}

/** Writes a model where none is. Beside another one it gets the next free number. */
async function writeBeside(shell: Shell, path: string, text: string): Promise<Written> {
  if (!existsSync(path)) {
    await writeFile(path, text, { flag: 'wx' })
    return { file: path, message: `Written to ${path}.`, isOther: false }
  }
  // The first line says what was read.
  const [before, after] = [await readFile(path, 'utf8'), text].map((each) =>
    each.split('\n').slice(1),
  )
  const difference = lineDifference(before ?? [], after ?? [])
  if (difference.length === 0) return { message: 'The model is as it was.', isOther: false }
  let number = 2
  const numbered = () => path.replace(/(\.[cm]?ts)?$/, `.${number}$1`)
  while (existsSync(numbered())) number++
  await writeFile(numbered(), text, { flag: 'wx' })
  shell.warn(`${difference.join('\n')}\n`)
  return {
    file: numbered(),
    message: `Another model is in ${path}, so it was written to ${numbered()}.`,
    isOther: true,
  }
}
