import { CsvColumns, type TextForm } from '../rows/csv-columns.ts'
import { csvLine } from '../rows/csv-line.ts'
import type { FileFormat } from '../rows/read-rows.ts'
import { parseRowLine } from '../rows/row-line.ts'
import { textLines } from '../rows/text-lines.ts'

/**
 * Converts lines of NDJSON to a format. CSV needs all columns before its first line, so the lines are read twice.
 *
 * @param format - the format
 * @param written - how CSV writes texts
 * @param open - reads the lines from the beginning
 */
export async function* formattedRows(
  format: FileFormat,
  written: TextForm | undefined,
  open: () => AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array | string, void, undefined> {
  if (format === 'ndjson') return yield* open()
  if (format === 'json') {
    let before = '[\n'
    for await (const line of textLines(open(), 'export')) {
      yield `${before}${line}`
      before = ',\n'
    }
    return yield before === ',\n' ? '\n]\n' : '[]\n'
  }
  const columns = new CsvColumns(format, written)
  for await (const line of textLines(open(), 'export')) {
    columns.add(parseRowLine(line, 'export').row)
  }
  yield csvLine(columns.headings)
  for await (const line of textLines(open(), 'export')) {
    yield csvLine(columns.cellsOf(parseRowLine(line, 'export').row))
  }
}
