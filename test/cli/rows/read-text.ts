import fc from 'fast-check'
import { DynamicEntity } from 'rowkey'
import { CsvColumns } from '../../../packages/cli/src/rows/csv-columns.ts'
import { csvLine } from '../../../packages/cli/src/rows/csv-line.ts'
import type { CsvForm } from '../../../packages/cli/src/rows/read-csv.ts'
import { type FileFormat, readRows, STANDARD } from '../../../packages/cli/src/rows/read-rows.ts'
import { arbitraryName, arbitraryProperty } from '../../odata/arbitrary-values.ts'

/** Never aborts. */
export const { signal } = new AbortController()

/** Reads texts as the standard input, cut anywhere. */
export const read = async (
  chunks: readonly (string | Uint8Array)[],
  format: FileFormat,
  form?: CsvForm,
) => {
  const input = (async function* () {
    yield* chunks
  })()
  const lines = []
  for await (const line of readRows({ input, signal }, { path: STANDARD, format, ...form })) {
    lines.push(line)
  }
  return lines.map(({ row }) => row)
}

/** A row that says everything about its values. */
export const shown = (row: DynamicEntity) => [
  row.partitionKey,
  row.rowKey,
  [...row.properties].sort(),
]

/** Rows with any properties. */
export const arbitraryRow = fc
  .tuple(
    fc.string(),
    fc.string(),
    fc.array(fc.tuple(arbitraryName, arbitraryProperty), { maxLength: 6 }),
  )
  .map(([partitionKey, rowKey, properties]) => new DynamicEntity(partitionKey, rowKey, properties))

/** Prints rows as CSV. */
export const printCsv = (rows: readonly DynamicEntity[], dialect: 'csv' | 'explorer-csv') => {
  const columns = new CsvColumns(dialect)
  for (const row of rows) columns.add(row)
  return [columns.headings, ...rows.map((row) => columns.cellsOf(row))].map(csvLine).join('')
}
