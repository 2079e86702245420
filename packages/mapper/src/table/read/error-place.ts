import { DecodeError, type EntityKey, InputError, type RawEntity } from '@rowkey/odata'
import { SchemaError } from '../../errors/schema-error.ts'

/** The entity that an error is about. */
export interface EntityPlace {
  /** The name of the table. */
  readonly table: string
  /** The key; `undefined` while it is unknown. */
  readonly key: EntityKey | undefined
}

/**
 * Names the entity in an InputError that its writing threw; another error stays as it is.
 *
 * @param error - the error
 * @param place - where the entity goes
 * @returns `InputError` with the same code, and table and key in its details
 */
export function entityError(error: unknown, place: EntityPlace): unknown {
  return error instanceof InputError ? inputErrorAt(error, place) : error
}

/**
 * Names the row in an error that was thrown while it was read. When the row does not fit its model, the
 * error is a {@link DecodeError} that names table, PartitionKey and RowKey. An InputError becomes one too,
 * because the caller's input is not at fault. Another error stays as it is.
 *
 * @param error - the error
 * @param table - the name of the table
 * @param raw - the row
 */
export function rowError(error: unknown, table: string, raw: RawEntity): unknown {
  const key = { partitionKey: textOf(raw.PartitionKey), rowKey: textOf(raw.RowKey) }
  return decodeErrorAt(error, { table, key })
}

/** Adds a place to an error. The first place wins, and an error without a known key stays as it is. */
function inputErrorAt(error: InputError, place: EntityPlace): InputError {
  if (place.key === undefined || error.details.table !== undefined) return error
  const { table, key } = place
  if (error instanceof SchemaError) {
    const { model, issues } = error
    return new SchemaError({ model, action: 'written', issues, key, table })
  }
  return new InputError({
    code: error.code,
    message: `${error.message}${placeText(place, error.details.rowKey !== undefined)}`,
    details: { ...error.details, ...propertyOf(error), table, ...key },
    cause: error.cause ?? error,
  })
}

function decodeErrorAt(error: unknown, place: Required<EntityPlace>): unknown {
  const isDecodeError = error instanceof DecodeError
  if (!isDecodeError && !(error instanceof InputError)) return error
  if (isDecodeError && error.details.table !== undefined) return error
  const isNamed = isDecodeError && error.details.rowKey !== undefined
  return new DecodeError({
    code: error.code,
    message: `${error.message}${placeText(place, isNamed)}`,
    details: {
      ...(isDecodeError && error.details),
      ...propertyOf(error),
      table: place.table,
      ...place.key,
    },
    cause: isDecodeError ? (error.cause ?? error) : error,
    ...(isDecodeError && { mayHaveApplied: error.mayHaveApplied }),
  })
}

/** The place, for the end of a message that may name the key itself. */
function placeText({ table, key }: EntityPlace, isNamed: boolean): string {
  return key === undefined || isNamed
    ? ` (table ${table})`
    : ` (entity ${JSON.stringify([key.partitionKey, key.rowKey])} of table ${table})`
}

/** Some errors of other packages have the property in a field of their own. */
function propertyOf(error: InputError | DecodeError): { readonly property?: string } {
  const { property: own }: { readonly property?: unknown } = error as object
  const property = error.details.property ?? own
  return typeof property === 'string' ? { property } : {}
}

function textOf(key: unknown): string {
  return typeof key === 'string' ? key : ''
}
