import { compareKeys } from '@rowkey/odata'
import type { DynamicEntity } from 'rowkey'

/** What the rows of a table say about its keys and sizes. */
export interface TableStatistics {
  rows: number
  /** How many rows each partition has. */
  readonly partitions: Map<string, number>
  /** How many neighbours in the order of keys were written in this order. */
  ascending: number
  /** How many neighbours were compared. */
  neighbours: number
  /** The properties of a row at most. */
  mostProperties: number
  readonly properties: Map<string, PropertyStatistics>
}

/** What the rows say about one property. */
export interface PropertyStatistics {
  /** How many rows have it. */
  count: number
  /** The longest text, or the most bytes. */
  longest: number
  /** Its most values in bytes, for a Binary; in UTF-16 units otherwise. */
  limit: number
  /** Its different texts and Guids, as long as they are few enough to keep. */
  readonly values: Set<string>
}

const MOST_VALUES = 10_000
const MOST_UNITS = 32_768
const MOST_BYTES = 65_536

/**
 * Counts rows.
 *
 * @param rows - the rows
 */
export function tableStatistics(rows: readonly DynamicEntity[]): TableStatistics {
  const statistics: TableStatistics = {
    rows: rows.length,
    partitions: new Map(),
    ascending: 0,
    neighbours: 0,
    mostProperties: 0,
    properties: new Map(),
  }
  for (const row of rows) addRow(statistics, row)
  const sorted = [...rows].sort(compareKeys)
  for (const [at, row] of sorted.entries()) {
    const before = sorted[at - 1]
    const [earlier, later] = [Number(before?.timestamp), Number(row.timestamp)]
    // Rows of one transaction, or of the same millisecond, say nothing of an order.
    if (!(earlier < later || earlier > later)) continue
    statistics.neighbours++
    if (earlier < later) statistics.ascending++
  }
  return statistics
}

function addRow(statistics: TableStatistics, { partitionKey, properties }: DynamicEntity): void {
  const { partitions } = statistics
  partitions.set(partitionKey, (partitions.get(partitionKey) ?? 0) + 1)
  statistics.mostProperties = Math.max(statistics.mostProperties, properties.size)
  for (const [name, { type, value }] of properties) {
    const found = statistics.properties.get(name)
    const limit = type === 'Binary' ? MOST_BYTES : MOST_UNITS
    const property = found ?? { count: 0, longest: 0, limit, values: new Set<string>() }
    if (found === undefined) statistics.properties.set(name, property)
    property.count++
    if (typeof value === 'string' || value instanceof Uint8Array) {
      property.longest = Math.max(property.longest, value.length)
    }
    if (typeof value === 'string' && property.values.size < MOST_VALUES) property.values.add(value)
  }
}
