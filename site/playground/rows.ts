/** Tables of values, for the page. */
import { inspect } from 'node-inspect-extracted'
import type { DynamicEntity } from 'rowkey'
import { cellText } from '../../packages/cli/src/rows/cell-text.ts'
import type { Cell, Rows } from './messages.ts'

/** A page that shows more is slow to read and to draw. */
export const MOST_ROWS = 200

/**
 * Returns what an array shows as a table; `undefined` unless all its elements are objects.
 *
 * @param value - what the program printed
 */
export function rowsOf(value: unknown): Rows | undefined {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isRecord)) return undefined
  return table(
    value.map((row) => Object.entries(row).map(([name, cell]) => [name, shownValue(cell)])),
  )
}

/**
 * Returns rows as the service stores them, with the types of their properties.
 *
 * @param entities - rows of one table
 */
export function storedRows(entities: readonly DynamicEntity[]): Rows {
  return table(
    entities.map(({ partitionKey, rowKey, properties }) => [
      ['PartitionKey', { text: partitionKey, type: 'String' }],
      ['RowKey', { text: rowKey, type: 'String' }],
      ...[...properties].map(([name, property]): [string, Cell] => [
        name,
        { text: cellText(property), type: property.type },
      ]),
    ]),
  )
}

function table(rows: readonly (readonly [name: string, cell: Cell])[][]): Rows {
  const shown = rows.slice(0, MOST_ROWS)
  return {
    columns: [...new Set(shown.flatMap((row) => row.map(([name]) => name)))],
    rows: shown.map((row) => Object.fromEntries(row)),
    more: rows.length - shown.length,
  }
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function shownValue(value: unknown): Cell {
  const type = isRecord(value) ? (value.constructor?.name ?? 'Object') : typeof value
  return { text: typeof value === 'string' ? value : inspect(value, { depth: 1 }), type }
}
