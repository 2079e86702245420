import type { Assignment, RowAddress, ShownRow } from '../src/server/wire.ts'
import type { View } from './view.ts'

/** Text that every shell takes as it is. */
const PLAIN = /^[\w@%+:,./=-]+$/

/** A variable of the environment, which shells replace. */
const VARIABLE = /^\$[A-Z_]+$/

/** Characters that mean something between double quotes. */
const SPECIAL = /["$`\\!]/

/** Quotes an argument for the shells of Linux and macOS. */
function quoted(text: string): string {
  if (VARIABLE.test(text) || (text.includes("'") && !SPECIAL.test(text))) return `"${text}"`
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

/** Prints a command line: the options that name the account and all others first, so that keys may begin with a dash. */
function commandLine(
  name: string,
  target: readonly string[],
  options: readonly string[],
  args: readonly string[],
): string {
  const end = args.some((arg) => arg.startsWith('-')) ? ['--'] : []
  return ['rowkey', name, ...target, ...options, ...end, ...args]
    .map((text) => (text === 'rowkey' ? text : quoted(text)))
    .join(' ')
}

function viewOptions({ filter, columns, isKept }: View): readonly string[] {
  return [
    ...(filter === '' ? [] : ['--filter', filter]),
    ...(columns.length === 0 ? [] : ['--select', columns.join(',')]),
    ...(isKept ? ['--kept'] : []),
  ]
}

/** The command that prints the first rows of a view. */
export function queryCommand(target: readonly string[], view: View): string {
  const scan = view.filter === '' || view.isScan ? ['--scan'] : []
  const take = ['--take', String(view.size)]
  return commandLine('query', target, [...viewOptions(view), ...take, ...scan], [view.table ?? ''])
}

/** The command that saves all rows of a view. */
export function exportCommand(target: readonly string[], view: View, format: string): string {
  const { table = '' } = view
  return commandLine('export', target, viewOptions(view), [table, `${table}.${format}`])
}

/** The command that lists tables. */
export function tablesCommand(target: readonly string[]): string {
  return commandLine('tables', target, [], [])
}

/** The command that prints a row. */
export function getCommand(target: readonly string[], address: RowAddress): string {
  return commandLine('get', target, [], keyOf(address))
}

/** The command that deletes a row. */
export function deleteCommand(target: readonly string[], address: RowAddress): string {
  return commandLine('delete', target, ['--write'], keyOf(address))
}

/** The command that deletes all rows of a view, or sets properties of them. */
export function changeAllCommand(
  target: readonly string[],
  view: View,
  set: readonly Assignment[],
): string {
  const { table = '', filter } = view
  const options = [...viewOptions({ ...view, columns: [] }), '--write']
  if (set.length > 0) return commandLine('set', target, options, [table, ...set.map(assigned)])
  return commandLine(filter === '' ? 'clear' : 'delete', target, options, [table])
}

/** The command that stores a new row. */
export function insertCommand(
  target: readonly string[],
  address: RowAddress,
  set: readonly Assignment[],
): string {
  return commandLine('put', target, ['--write'], [...keyOf(address), ...set.map(assigned)])
}

/** The command that changes a row: a merge, or a put of what remains when properties go. */
export function editCommand(
  target: readonly string[],
  address: RowAddress,
  { row, set, remove }: RowChange,
): string {
  if (remove.length === 0) {
    return commandLine('merge', target, ['--write'], [...keyOf(address), ...set.map(assigned)])
  }
  const names = new Set([...remove, ...set.map(({ name }) => name)])
  const kept = row.values
    .filter(([name]) => !names.has(name))
    .map(([name, { type, text }]) => ({ name, type, text }))
  return insertCommand(target, address, [...kept, ...set])
}

/** A change of a row. */
export interface RowChange {
  /** The row as it was read, whole. */
  readonly row: ShownRow
  readonly set: readonly Assignment[]
  readonly remove: readonly string[]
}

function keyOf({ table, partition, row }: RowAddress): readonly string[] {
  return [table, partition, row]
}

function assigned({ name, type, text }: Assignment): string {
  return `${name}:${type}=${text}`
}
