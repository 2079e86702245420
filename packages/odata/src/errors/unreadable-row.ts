import { DecodeError } from './decode-error.ts'
import { InputError } from './input-error.ts'
import { isRowkeyError } from './rowkey-error.ts'

/** Which row could not be read. */
export interface UnreadableRow {
  /** The table, as it was addressed; absent where it is not known. */
  readonly table?: string | undefined
  /** PartitionKey of the row. */
  readonly partitionKey: string
  /** RowKey of the row. */
  readonly rowKey: string
}

/**
 * Makes the error for a row that cannot be read, from the error of reading it. It names the table and the
 * key, and has the same code and property.
 *
 * @param thrown - what reading the row threw; a DecodeError that names its row and table is returned as it is
 * @param row - the row
 *
 * @example
 * ```ts
 * try {
 *   return codec.read(raw)
 * } catch (thrown) {
 *   throw unreadableRow(thrown, { table: 'people', partitionKey: 'Smith', rowKey: 'Jeff' })
 * }
 * ```
 */
export function unreadableRow(thrown: unknown, row: UnreadableRow): DecodeError {
  const known = thrown instanceof DecodeError ? thrown : undefined
  const { table, partitionKey, rowKey } = row
  const hasKey = known?.details.rowKey !== undefined
  if (known?.details.table !== undefined || (hasKey && table === undefined)) return known
  const places = [
    ...(hasKey ? [] : [`entity ${JSON.stringify([partitionKey, rowKey])}`]),
    ...(table === undefined ? [] : [`table ${table}`]),
  ]
  const reason = thrown instanceof Error ? thrown.message : String(thrown)
  return new DecodeError({
    code: isRowkeyError(thrown) ? thrown.code : 'UnreadableRow',
    message: `${reason} (${places.join(' of ')})`,
    cause: known?.cause ?? thrown,
    details: { ...known?.details, table, partitionKey, rowKey, property: propertyOf(thrown) },
    mayHaveApplied: known?.mayHaveApplied,
  })
}

/** Errors of other packages may name the property in a field of their own. */
function propertyOf(thrown: unknown): string | undefined {
  if (thrown instanceof DecodeError || thrown instanceof InputError) {
    if (thrown.details.property !== undefined) return thrown.details.property
  }
  const isNamed = isRowkeyError(thrown) && 'property' in thrown
  return isNamed && typeof thrown.property === 'string' ? thrown.property : undefined
}
