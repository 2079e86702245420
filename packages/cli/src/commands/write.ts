import { Command } from 'commander'
import { DynamicEntity } from 'rowkey'
import { withRowChoice } from '../condition/query-options.ts'
import { readAssignments } from '../edit/assignments.ts'
import { changedLines } from '../edit/changed-lines.ts'
import { type ConfirmOptions, isConfirmed, withConfirm } from '../edit/confirm.ts'
import { cliInputError } from '../errors/codes.ts'
import { printRowLine } from '../rows/row-line.ts'
import type { Shell } from '../shell/shell.ts'
import { warnOfKeptRows } from '../target/kept-rows.ts'
import { type RowTable, withAccount } from '../target/open-account.ts'
import { type TargetOptions, withTarget } from '../target/target-options.ts'
import { type ChangeOptions, changeRows, withChange } from './change-rows.ts'

interface WriteOptions extends TargetOptions, ConfirmOptions {}

type Kind = 'put' | 'merge' | 'delete'

/** `rowkey put`: stores or replaces one row. */
export function putCommand(shell: Shell): Command {
  return withAssignments(shell, 'put', 'stores a row, in place of the stored one')
}

/** `rowkey merge`: changes some properties of one row. */
export function mergeCommand(shell: Shell): Command {
  return withAssignments(
    shell,
    'merge',
    'changes some properties of a stored row and keeps the others',
  )
}

/** `rowkey delete`: deletes one row, or all rows that match. */
export function deleteCommand(shell: Shell): Command {
  return withRowChoice(withChange(new Command('delete')))
    .description('deletes a row by its key, or all rows that match; goes on when it is run again')
    .argument('<table>', 'the table')
    .argument('[partitionKey]', 'the PartitionKey of one row')
    .argument('[rowKey]', 'its RowKey')
    .action(
      (
        table: string,
        partitionKey: string | undefined,
        rowKey: string | undefined,
        options: ChangeOptions,
      ) => {
        const { filter, partition } = options
        const isChosen = filter !== undefined || partition !== undefined
        if (
          isChosen === (partitionKey !== undefined) ||
          (partitionKey === undefined) !== (rowKey === undefined)
        ) {
          throw cliInputError(
            'InvalidArgument',
            'Give either the PartitionKey and the RowKey of one row, or --filter or --partition. rowkey clear deletes all rows.',
          )
        }
        if (partitionKey === undefined || rowKey === undefined) {
          return changeRows(shell, { command: 'delete', kind: 'delete', name: table }, options)
        }
        return writeRow(shell, { kind: 'delete', table, partitionKey, rowKey, texts: [] }, options)
      },
    )
}

function withAssignments(shell: Shell, kind: Kind, description: string): Command {
  return withKey(kind)
    .description(description)
    .argument(
      '[assignments...]',
      'name=value or name:Type=value, such as age=30 or points:Int64=100',
    )
    .action(
      (
        table: string,
        partitionKey: string,
        rowKey: string,
        texts: string[],
        options: WriteOptions,
      ) => writeRow(shell, { kind, table, partitionKey, rowKey, texts }, options),
    )
}

function withKey(name: Kind): Command {
  return withConfirm(withTarget(new Command(name)))
    .argument('<table>', 'the table')
    .argument('<partitionKey>', 'its PartitionKey')
    .argument('<rowKey>', 'its RowKey')
}

/** One row, and what to do with it. */
interface Edit {
  readonly kind: Kind
  readonly table: string
  readonly partitionKey: string
  readonly rowKey: string
  readonly texts: readonly string[]
}

/** Shows what changes, asks where a person is there, and writes only the version that was shown. */
async function writeRow(shell: Shell, edit: Edit, options: WriteOptions): Promise<void> {
  await withAccount(shell, options, async (account, place) => {
    const table = account.table(edit.table)
    const { signal } = shell
    const before =
      edit.kind === 'put' ? await table.find(edit, { signal }) : await table.get(edit, { signal })
    const after = editedRow(edit, before)
    const isWritten = await isAllowed(shell, options, edit, { before, after, place })
    if (isWritten) await store(table, { kind: edit.kind, before, after }, signal)
    if (options.json) return shell.print(reportOf(edit, before, after, isWritten))
    shell.warn(isWritten ? 'Written.\n' : 'Nothing was written.\n')
    if (isWritten) await warnOfKeptRows(shell, table)
  })
}

function editedRow(
  { kind, partitionKey, rowKey, texts }: Edit,
  before: DynamicEntity | undefined,
): DynamicEntity | undefined {
  if (kind === 'delete') return undefined
  const kept = kind === 'merge' ? [...(before?.properties ?? [])] : []
  return new DynamicEntity(partitionKey, rowKey, [...kept, ...readAssignments(texts, before)])
}

interface Versions {
  readonly before: DynamicEntity | undefined
  readonly after: DynamicEntity | undefined
}

/** Tells whether the row may be written. */
async function isAllowed(
  shell: Shell,
  options: WriteOptions,
  { kind, table }: Edit,
  { before, after, place }: Versions & { readonly place: string },
): Promise<boolean> {
  const lines = changedLines(before, after).map((text) => `  ${text}\n`)
  if (!options.json) shell.warn(`${kind} ${table} of ${place}:\n${lines.join('')}`)
  return isConfirmed(shell, options, `${kind} writes to ${table} of ${place}`, 'Write this?')
}

/** Writes the row if it is still the version that was read. */
async function store(
  table: RowTable,
  { kind, before, after }: Versions & { readonly kind: Kind },
  signal: AbortSignal,
): Promise<void> {
  const { etag } = before ?? {}
  if (after === undefined) return table.delete(before as DynamicEntity, { signal })
  if (etag === undefined) await table.insert(after, { signal })
  else if (kind === 'put') await table.replace(after, { etag, signal })
  else await table.merge(after, { etag, signal })
}

function reportOf(
  { kind, table }: Edit,
  before: DynamicEntity | undefined,
  after: DynamicEntity | undefined,
  isWritten: boolean,
): string {
  // JSON.parse would lose the sign of -0.
  const shown = (row: DynamicEntity | undefined) => (row === undefined ? 'null' : printRowLine(row))
  const begin = JSON.stringify({ table, change: kind }).slice(0, -1)
  return `${begin},"before":${shown(before)},"after":${shown(after)},"written":${isWritten}}\n`
}
