import { resolve } from 'node:path'
import type { EntityModel } from '@rowkey/mapper'
import { Command } from 'commander'
import { type Account, DynamicEntity, Operation } from 'rowkey'
import { PRICE_TEXT, priceText } from '../condition/explain-text.ts'
import {
  chosenQuery,
  conditionOf,
  type RowChoice,
  rowsWhere,
  withRowChoice,
} from '../condition/query-options.ts'
import { readAssignments } from '../edit/assignments.ts'
import { type ConfirmOptions, isConfirmed, withConfirm } from '../edit/confirm.ts'
import { cliInputError } from '../errors/codes.ts'
import { type LoadedModels, loadModels } from '../model/load-model.ts'
import { modelTable } from '../model/model-table.ts'
import { modelsIn } from '../model/models-in.ts'
import { count, counted, withProgress } from '../output/progress.ts'
import { EXIT, printJson, type Shell } from '../shell/shell.ts'
import { withoutControls } from '../shell/without-controls.ts'
import type { SweptQuery } from '../sweep/sweep-table.ts'
import { warnOfKeptRows } from '../target/kept-rows.ts'
import { withAccount } from '../target/open-account.ts'
import { type TargetOptions, withTarget } from '../target/target-options.ts'
import { resultText } from '../transfer/import-result.ts'
import { type PageWrite, writeSwept } from '../transfer/write-swept.ts'
import { positiveNumber } from './query.ts'

/** The options of commands that change many rows. */
export interface ChangeOptions extends TargetOptions, RowChoice, ConfirmOptions {
  readonly models?: string
  readonly model?: string
  readonly ranges: number
  readonly resumeFile?: string
}

/** Adds the options of {@link ChangeOptions} to a command. */
export function withChange(command: Command): Command {
  return withConfirm(withTarget(command))
    .option('--models <module>', 'a module with models, whose indexes and sums are kept')
    .option('--model <name>', 'the export of the module (default: the union, or the only model)')
    .option(
      '--ranges <number>',
      'how many ranges of partitions to change at once',
      positiveNumber,
      8,
    )
    .option('--resume-file <file>', 'where the position is kept (default: in this folder)')
}

/** `rowkey clear <table>`: deletes all rows of a table. */
export function clearCommand(shell: Shell): Command {
  return withChange(new Command('clear'))
    .description('deletes all rows of a table, and keeps the table; goes on when it is run again')
    .argument('<table>', 'the table')
    .action((name: string, options: ChangeOptions) =>
      changeRows(shell, { command: 'clear', kind: 'delete', name }, { ...options, kept: true }),
    )
}

/** `rowkey set <table>`: changes properties of many rows. */
export function setCommand(shell: Shell): Command {
  return withRowChoice(withChange(new Command('set')))
    .description('changes some properties of all rows that match; goes on when it is run again')
    .argument('<table>', 'the table')
    .argument('<assignments...>', 'name=value or name:Type=value, such as state=done')
    .action((name: string, texts: string[], options: ChangeOptions) => {
      readAssignments(texts, undefined)
      return changeRows(shell, { command: 'set', kind: 'set', name, texts }, options)
    })
}

/** What to do with the rows of a table. */
interface Change {
  /** The name of the command, for messages. */
  readonly command: 'clear' | 'delete' | 'set'
  readonly kind: 'delete' | 'set'
  readonly name: string
  /** The assignments of `set`. */
  readonly texts?: readonly string[]
}

/** Rows, and what writes their changes: as they are stored, or by a model that keeps indexes and sums. */
interface ChangedRows {
  readonly query: SweptQuery<object>
  count(): Promise<number>
  write(rows: readonly object[]): PageWrite
}

/**
 * Changes all rows that match, each only in the version that was read. It counts them first where a person decides.
 *
 * @param shell - asks, and prints
 * @param change - what to do
 * @param options - which rows
 */
export async function changeRows(
  shell: Shell,
  change: Change,
  options: ChangeOptions,
): Promise<void> {
  const { command, kind, name, texts } = change
  const { models: module } = options
  let loaded: LoadedModels | undefined
  const load = async (): Promise<LoadedModels['connect']> => {
    loaded = await loadModels(resolve(shell.folder, module as string))
    return loaded.connect
  }
  await withAccount(
    shell,
    options,
    async (account, place) => {
      const rows = changedRows(account, loaded, change, options, shell.signal)
      const isShown = options.dryRun === true || (shell.isInteractive && !options.yes)
      const matched = isShown ? await rows.count() : undefined
      if (!options.json && matched !== undefined) {
        shell.warn(`${command} ${withoutControls(name)} of ${place}:\n  ${costText(matched)}\n`)
      }
      const verb = kind === 'delete' ? 'Delete' : 'Change'
      const question = `${verb} ${counted(matched ?? 0, 'row')}?`
      if (
        !(await isConfirmed(shell, options, `${command} writes to ${name} of ${place}`, question))
      ) {
        if (options.json)
          return printJson(shell, { table: name, change: kind, matched, written: 0 })
        return shell.warn('Nothing was written.\n')
      }
      const { filter, partition, prefix, kept, models } = options
      const subject = {
        command: kind,
        account: place,
        table: name,
        filter,
        partition,
        prefix,
        kept,
        texts,
        models,
      }
      // Kept rows are left out by the query, so that none is read.
      const { leftOut: _, ...result } = await withProgress(
        shell,
        kind === 'delete' ? 'deleted' : 'changed',
        options,
        (onRows) =>
          writeSwept({
            source: account.table(name),
            ...rows,
            concurrency: options.ranges,
            signal: shell.signal,
            now: shell.now,
            resume: {
              path: options.resumeFile ?? resolve(shell.folder, `${name}.${kind}`),
              subject,
            },
            onRows,
          }),
      )
      if (options.json) await printJson(shell, { table: name, change: kind, matched, ...result })
      else {
        shell.warn(resultText(`${verb}d`, `of ${name}`, result))
        if (loaded === undefined && result.written > 0) {
          await warnOfKeptRows(shell, account.table(name))
        }
      }
      if (result.failed > 0) shell.exitCode = EXIT.failed
    },
    module === undefined ? undefined : load,
  )
}

/** Says what changes of rows cost. */
function costText(rows: number): string {
  const fewest = Math.ceil(rows / 100)
  const requests =
    rows === fewest ? counted(rows, 'request') : `${count(fewest)} to ${count(rows)} requests`
  return `${counted(rows, 'row')} to change, by ${requests}: at most ${priceText(rows)}, ${PRICE_TEXT}.`
}

function changedRows(
  account: Account,
  loaded: LoadedModels | undefined,
  { kind, name, texts = [] }: Change,
  options: ChangeOptions,
  signal: AbortSignal,
): ChangedRows {
  const bulk = { onMissing: 'skip', signal } as const
  const table = account.table(name)
  if (loaded === undefined) {
    // Only the key and the ETag are needed to delete a row. What is tested here needs its properties.
    const isKeyOnly = kind === 'delete' && table.parts.service.endpoint.flavour !== 'cosmos'
    const query = chosenQuery(table, isKeyOnly ? { ...options, select: 'PartitionKey' } : options)
    return {
      query,
      count: () => query.allowTableScan().count({ signal }),
      write(rows) {
        const entities = rows as readonly DynamicEntity[] // the query reads these
        if (kind === 'delete') return table.bulk(bulk).delete(entities)
        const writes = entities.map((row) => {
          const set = new DynamicEntity(row.partitionKey, row.rowKey, readAssignments(texts, row))
          return Operation.merge(set, { etag: row.etag as string })
        })
        return table.bulk(bulk).execute(writes)
      },
    }
  }
  const typed = modelTable(account, loaded, { table: name, model: options.model })
  const models = Object.values(loaded.models).flatMap(modelsIn)
  const condition = conditionOf(options)
  const query = condition === undefined ? typed.query() : rowsWhere(table, typed.query(), condition)
  return {
    query,
    count: () => query.allowTableScan().count({ signal }),
    write(rows) {
      if (kind === 'delete') return typed.bulk(bulk).delete(rows)
      for (const row of rows) assign(row, models, texts)
      return typed.bulk(bulk).merge(rows)
    },
  }
}

/** Assigns values to the properties of an object that are stored under the names. */
function assign(
  row: object,
  models: readonly EntityModel<object>[],
  texts: readonly string[],
): void {
  for (const text of texts) {
    const [name = ''] = text.split(/[:=]/, 1)
    const column = models.flatMap(({ columns }) => columns).find((each) => each.name === name)
    if (column === undefined || column.converter !== undefined || column.encryption !== undefined) {
      const found =
        column === undefined ? 'is not a property of the model' : 'is converted by the model'
      throw cliInputError('InvalidArgument', `${name} ${found}. Change it by a program.`)
    }
    const isTyped = text.slice(name.length).startsWith(':') || column.type === undefined
    const typed = isTyped ? text : `${name}:${column.type}${text.slice(name.length)}`
    const value = readAssignments([typed], undefined).get(name)?.value
    Object.assign(row, { [column.property]: value })
  }
}
