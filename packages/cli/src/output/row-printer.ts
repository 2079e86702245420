import { type Command, Option } from 'commander'
import type { DynamicEntity } from 'rowkey'
import { printDateTime } from 'rowkey'
import { cliInputError } from '../errors/codes.ts'
import { cellText } from '../rows/cell-text.ts'
import { CsvColumns, type TextForm, withoutFormula } from '../rows/csv-columns.ts'
import { csvLine } from '../rows/csv-line.ts'
import { printRowLine } from '../rows/row-line.ts'
import { textTable } from './text-table.ts'

/** How rows are printed. */
export type RowFormat = 'table' | 'json' | 'ndjson' | 'csv'

/** The options of {@link formatOf}. */
export interface FormatOptions {
  readonly output?: RowFormat
  readonly json?: true
  readonly formulas: boolean
}

/** Adds the options of {@link FormatOptions} to a command. */
export function withFormat(command: Command): Command {
  const formats: readonly RowFormat[] = ['table', 'json', 'ndjson', 'csv']
  return command
    .addOption(
      new Option('-o, --output <format>', 'how to print').choices(formats).default('table'),
    )
    .addOption(new Option('--json', 'the same as --output json').conflicts('output'))
    .addOption(formulasOption())
}

/** Makes the option `--no-formulas`. */
export function formulasOption(): Option {
  return new Option(
    '--no-formulas',
    "CSV for a spreadsheet that runs nothing: writes ' before texts that begin as formulas do",
  )
}

/**
 * Returns how texts are written.
 *
 * @param options - those of the command
 * @param format - the format of the rows
 * @throws InputError with the code `InvalidArgument` for `--no-formulas` without CSV
 */
export function textForm(
  { formulas }: { readonly formulas: boolean },
  format: string,
): TextForm | undefined {
  if (formulas) return undefined
  if (format.endsWith('csv')) return withoutFormula
  throw cliInputError('InvalidArgument', '--no-formulas is for CSV. Give --format or --output csv.')
}

/** Returns the format of the options. */
export function formatOf({ output = 'table', json }: FormatOptions): RowFormat {
  return json ? 'json' : output
}

/**
 * Prints rows. JSON is one array of rows, each as the service's JSON has it, so that no type is lost.
 *
 * @param rows - the rows
 * @param format - how to print them
 * @param written - how CSV writes texts; as they are by default
 */
export function printRows(
  rows: readonly DynamicEntity[],
  format: RowFormat,
  written?: TextForm,
): string {
  switch (format) {
    case 'json':
      return rows.length === 0
        ? '[]\n'
        : `[\n${rows.map((row) => printRowLine(row)).join(',\n')}\n]\n`
    case 'ndjson':
      return rows.map((row) => `${printRowLine(row)}\n`).join('')
    case 'csv':
      return printCsv(rows, written)
    case 'table':
      return printTable(rows)
  }
}

function printCsv(rows: readonly DynamicEntity[], written: TextForm | undefined): string {
  const columns = new CsvColumns('csv', written)
  for (const row of rows) columns.add(row)
  return [columns.headings, ...rows.map((row) => columns.cellsOf(row))].map(csvLine).join('')
}

/** A heading names the type of its column, unless rows differ in it; then each cell does. */
function printTable(rows: readonly DynamicEntity[]): string {
  const types = new Map<string, string>()
  for (const { properties } of rows) {
    for (const [name, { type }] of properties) {
      types.set(name, (types.get(name) ?? type) === type ? type : '')
    }
  }
  const headings = [...types].map(([name, type]) => (type === '' ? name : `${name}:${type}`))
  const lines = rows.map(({ partitionKey, rowKey, timestamp, properties }) => [
    partitionKey,
    rowKey,
    timestamp === undefined ? '' : printDateTime(timestamp),
    ...[...types].map(([name, type]) => {
      const property = properties.get(name)
      const suffix = property === undefined || type !== '' ? '' : ` (${property.type})`
      return `${cellText(property)}${suffix}`
    }),
  ])
  return textTable(['PartitionKey', 'RowKey', 'Timestamp', ...headings], lines)
}
