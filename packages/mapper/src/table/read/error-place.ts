import { DecodeError, type EntityKey, InputError, type RawEntity } from '@rowkey/odata'

/** What a function throws is about one entity of one table. */
export interface EntityPlace {
  /** The name of the table. */
  readonly table: string
  /** The key; `undefined` while it is unknown. */
  readonly key: EntityKey | undefined
}

/**
 * Runs what writes an entity to JSON, and lets an error of it name the entity.
 *
 * @param place - returns where the entity goes; asked only after an error
 * @param write - writes it
 */
export function namingEntity<Result>(place: () => EntityPlace, write: () => Result): Result {
  try {
    return write()
  } catch (error) {
    if (error instanceof InputError) addPlace(error, place())
    throw error
  }
}

/**
 * Runs what reads a row. A row that does not fit its model is a {@link DecodeError} that names table, PartitionKey
 * and RowKey, whatever the reader threw: the caller's input is not at fault.
 *
 * @param table - the name of the table
 * @param raw - the row
 * @param read - reads it
 * @throws {@link DecodeError} with the code of what the reader threw
 */
export function namingRow<Result>(table: string, raw: RawEntity, read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    const key = { partitionKey: textOf(raw.PartitionKey), rowKey: textOf(raw.RowKey) }
    if (error instanceof DecodeError) {
      addPlace(error, { table, key })
      throw error
    }
    if (!(error instanceof InputError)) throw error
    throw new DecodeError({
      code: error.code,
      message: `${error.message}${placeText({ table, key })}`,
      details: { table, ...key, property: error.details.property ?? propertyOf(error) },
      cause: error,
    })
  }
}

/** An error is told the place where it is known, and only the first place counts. */
function addPlace(error: InputError | DecodeError, place: EntityPlace): void {
  if (place.key === undefined || 'table' in error.details) return
  const { message } = error
  const isNamed = error.details.rowKey !== undefined
  error.message = `${message}${isNamed ? ` (table ${place.table})` : placeText(place)}`
  if (error.stack !== undefined) error.stack = error.stack.replace(message, () => error.message)
  Object.assign(error, { details: { ...error.details, table: place.table, ...place.key } })
}

function placeText({ table, key }: EntityPlace): string {
  return key === undefined
    ? ` (table ${table})`
    : ` (entity ${JSON.stringify([key.partitionKey, key.rowKey])} of table ${table})`
}

function propertyOf(error: InputError): string | undefined {
  const { property }: { readonly property?: unknown } = error as object
  return typeof property === 'string' ? property : undefined
}

function textOf(key: unknown): string {
  return typeof key === 'string' ? key : ''
}
