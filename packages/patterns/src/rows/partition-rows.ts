import { codecOf } from '@rowkey/mapper'
import { and, type EntityKey, isRowkeyError, keyOfRaw, type RowkeyError } from '@rowkey/odata'
import type { CallOptions } from '@rowkey/rest'
import type { ModelTable } from './model-table.ts'
import { entityFilter, inPartition } from './row-filter.ts'
import { scanRows } from './scan-rows.ts'

/** A row that a comparison could not read. */
export interface UnreadableRow {
  /** The model cannot read the row, or no key can hold its values; or another program changed a kept row. */
  readonly kind: 'unreadable'
  /** The key of the row. */
  readonly row: EntityKey
  /** Why it is unreadable. */
  readonly error: RowkeyError
  /**
   * Whether the row was repaired: a kept row is rebuilt from the entities. An entity never is: mend or delete it, and rebuild
   * again.
   */
  readonly repaired: boolean
}

/** In place of what a row should hold. */
export class Unreadable {
  readonly finding: UnreadableRow

  /** @param finding - the row, and why it is unreadable */
  constructor(finding: UnreadableRow) {
    this.finding = finding
  }
}

/** One row of a partition. */
interface PartitionRow {
  readonly key: EntityKey
  /** Its entity, or why the model cannot read it. */
  readonly entity: object | Unreadable
}

/**
 * Reads the entities of a partition at the primary location, without the rows that any declaration keeps beside them. Entities
 * that have expired or are deleted softly are among them, because they are stored.
 *
 * @param table - the table
 * @param partitionKey - the PartitionKey
 */
export async function* partitionRows(
  table: ModelTable,
  partitionKey: string,
  options: CallOptions,
): AsyncGenerator<PartitionRow, void, undefined> {
  const codec = codecOf(table.model)
  const own = entityFilter(table.model)
  const filter = and(inPartition(partitionKey), ...(own === undefined ? [] : [own]))
  for await (const raw of scanRows(table, filter, options)) {
    const key = keyOfRaw(raw)
    yield { key, entity: readable(key, () => codec.read(raw)) }
  }
}

/**
 * Reads something of a row.
 *
 * @returns the result, or why the row is unreadable
 */
export function readable<Result>(row: EntityKey, read: () => Result): Result | Unreadable {
  try {
    return read()
  } catch (error) {
    if (!isRowkeyError(error)) throw error
    return new Unreadable({ kind: 'unreadable', row, error, repaired: false })
  }
}
